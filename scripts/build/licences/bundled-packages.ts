import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { licenceWithoutText } from './licences-without-text.ts';

/** A package of which a program has code in its bundle. */
export interface BundledPackage {
  name: string;
  version: string;
  /** SPDX identifier, for example `MIT`. */
  licence: string;
  /** The text under which its authors give it away, with their names. */
  text: string;
  /** Its folder, relative to the checkout, as package-lock.json names it. */
  path: string;
}

/** A package whose licence or text of the licence is missing. */
export interface LicenceFault {
  package: string;
  reason: string;
}

/** The last package folder in a path, also behind the namespace of a plugin. */
const PACKAGE_FOLDER = /^(?:[\w-]+:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Names of the files that packages keep their licence in. A NOTICE has to be passed on with an Apache licence. */
const LICENCE_FILE = /^(?:licen[cs]e|copying|unlicense|notice)(?:[.-].*)?$/i;

interface PackageJson {
  name: string;
  version: string;
  license?: string;
}

/**
 * The packages whose code is in the outputs of these builds, by name, then by version.
 * @param compiled names of packages that have code in an addon
 * @throws {Error} with all faults, when a package has no licence or no text
 */
export function bundledPackages(metafiles: readonly Metafile[], compiled: readonly string[] = []): BundledPackage[] {
  const folders = new Set([
    ...compiled.map((name) => `node_modules/${name}`),
    ...metafiles.flatMap(({ outputs }) =>
      Object.values(outputs).flatMap(({ inputs }) =>
        Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => {
          const [, folder] = PACKAGE_FOLDER.exec(file) ?? [];
          return bytesInOutput === 0 || folder === undefined ? [] : [folder];
        }),
      ),
    ),
  ]);
  return readPackages([...folders]).toSorted(
    (a, b) => compare(a.name, b.name) || compare(a.version, b.version) || compare(a.path, b.path),
  );
}

/** The packages of these names in `node_modules`. @throws {Error} with all faults */
export const packagesNamed = (names: readonly string[]): BundledPackage[] =>
  readPackages(names.map((name) => `node_modules/${name}`));

function readPackages(folders: readonly string[]): BundledPackage[] {
  const faults: LicenceFault[] = [];
  const packages = folders.flatMap((folder) => {
    const read = readPackage(folder);
    if ('reason' in read) faults.push(read);
    return 'reason' in read ? [] : [read];
  });
  if (faults.length > 0) throw new Error(faults.map((fault) => `${fault.package}: ${fault.reason}`).join('\n'));
  return packages;
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Reads the licence of the package in a folder. */
export function readPackage(path: string): BundledPackage | LicenceFault {
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as PackageJson;
  const known = licenceWithoutText(name);
  const licence = license ?? known?.licence;
  if (typeof licence !== 'string') {
    return {
      package: `${name} ${version}`,
      reason:
        'its package.json names no licence: look it up, and add the package to scripts/build/licences/licences-without-text.ts',
    };
  }
  // The text stands for the licence it was looked up for: after a change of licence it would be a wrong notice.
  if (known !== undefined && known.licence !== licence) {
    return {
      package: `${name} ${version}`,
      reason: `it is under ${licence}, and was under ${known.licence} when it was looked up: look it up again, and mend its row in scripts/build/licences/licences-without-text.ts`,
    };
  }
  const texts = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map((entry) => readFileSync(join(path, entry.name), 'utf8').trim())
    // A file without a text is no licence.
    .filter((words) => words !== '');
  const text = texts.length > 0 ? texts.join('\n\n') : known?.text;
  if (text === undefined) {
    return {
      package: `${name} ${version}`,
      reason: `it is under ${licence} and has no file with the text: look up who holds the copyright, and add it to scripts/build/licences/licences-without-text.ts`,
    };
  }
  return { name, version, licence, text, path };
}
