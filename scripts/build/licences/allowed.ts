import type { BundledPackage } from './bundled-packages.ts';

/** Licences under which code may be part of a program under the MIT licence that names the code's authors. */
const ALLOWED = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense']);

/** A line for each package whose licence is not in the list. */
export function findRefusedLicences(packages: readonly BundledPackage[]): string[] {
  return packages
    .filter(({ licence }) => !ALLOWED.has(licence))
    .map(
      ({ name, version, licence }) =>
        `${name} ${version} is under ${licence}: expected one of ${[...ALLOWED].join(', ')}. Take another package, or read this licence and add it to scripts/build/licences/allowed.ts`,
    );
}
