import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';

/** A file of a package. Its path is below the root of the machine, without a slash at its beginning. */
export interface PackedFile {
  path: string;
  /** A link has no content of its own. */
  content: { bytes: Uint8Array; isExecutable: boolean } | { link: string };
}

export function copied(from: string, path: string): PackedFile {
  const isExecutable = (statSync(from).mode & 0o100) !== 0 && !path.endsWith('.node');
  return { path, content: { bytes: readFileSync(from), isExecutable } };
}

/** All files of a folder, without those of folders inside. */
export function copiedFolder(from: string, path: string): PackedFile[] {
  const entries = readdirSync(from, { withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ name }) => copied(join(from, name), join(path, name)));
}

export function written(path: string, text: string): PackedFile {
  return { path, content: { bytes: Buffer.from(text), isExecutable: false } };
}

/**
 * A file compressed as Debian wants manual pages and change logs: without a time, so the same text gives the same
 * bytes.
 */
export function compressed(path: string, text: string | Uint8Array): PackedFile {
  const bytes = gzipSync(text, { level: constants.Z_BEST_COMPRESSION });
  return { path: `${path}.gz`, content: { bytes, isExecutable: false } };
}

export function linked(path: string, link: string): PackedFile {
  return { path, content: { link } };
}

/** A page of the manual in the folder of its section. */
export function manualPage(from: string): PackedFile {
  return compressed(`usr/share/man/man${from.slice(-1)}/${basename(from)}`, readFileSync(from));
}
