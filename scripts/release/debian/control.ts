import { createHash } from 'node:crypto';
import type { DebianPackage } from './packages.ts';
import type { PackedFile } from './packed-files.ts';

const BYTES_PER_KIB = 1_024;

/** Facts of a build besides the package itself. */
export interface PackageBuild {
  version: string;
  /** Architecture in the words of dpkg: `amd64`, `all`. */
  architecture: string;
  maintainer: string;
  /** The libraries that its files need. */
  libraries: readonly string[];
}

/** The fields of a package. @see deb-control(5) */
export function controlText(
  { name, section, synopsis, description, relations, files }: DebianPackage,
  { version, architecture, maintainer, libraries }: PackageBuild,
): string {
  const depends = [relations['Depends'] ?? [], libraries].flat().join(', ');
  const fields: Record<string, string> = {
    Package: name,
    Source: 'homeport',
    Version: version,
    Architecture: architecture,
    Maintainer: maintainer,
    'Installed-Size': String(files.reduce((sum, { content }) => sum + kibibytes(content), 0)),
    ...relations,
    ...(depends === '' ? {} : { Depends: depends }),
    Section: section,
    Priority: 'optional',
    Description: [synopsis, ...description.map((line) => ` ${line === '' ? '.' : line}`)].join('\n'),
  };
  return Object.entries(fields)
    .map(([field, value]) => `${field}: ${value}\n`)
    .join('');
}

/** Configuration files of the machine's owner. @see deb-conffiles(5) */
export function conffilesText(files: readonly PackedFile[]): string {
  return files
    .filter(({ path }) => path.startsWith('etc/'))
    .map(({ path }) => `/${path}\n`)
    .join('');
}

/** @see deb-md5sums(5) */
export function md5sumsText(files: readonly PackedFile[]): string {
  return files
    .flatMap(({ path, content }) =>
      'bytes' in content ? [`${createHash('md5').update(content.bytes).digest('hex')}  ${path}\n`] : [],
    )
    .join('');
}

function kibibytes(content: PackedFile['content']): number {
  return 'bytes' in content ? Math.ceil(content.bytes.length / BYTES_PER_KIB) : 1;
}
