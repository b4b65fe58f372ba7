import type { BundledPackage } from './bundled-packages.ts';

/** Licences that let anybody pass the code on, inside a program under the MIT licence, for naming its authors. */
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
