import { closeSync, fstatSync, openSync, readdirSync, readlinkSync, readSync, statSync } from 'node:fs';
import { systemCodeOf } from '../../kernel/errors.ts';
import { UnreadableSourceError } from '../errors.ts';

/** Files that tell what is installed, below the machine's root directory. Paths are absolute; absence is an answer. */
export interface RootFiles {
  /** Text of a small file. @throws UnreadableSourceError for reasons other than absence */
  read(path: string): string | undefined;
  /** What a symbolic link says, as it stands there. */
  linkTarget(path: string): string | undefined;
  /** @throws UnreadableSourceError for reasons other than absence */
  has(path: string): boolean;
  /** When the file was last changed, in whole Unix seconds. @throws UnreadableSourceError for reasons other than absence */
  changedSec(path: string): number | undefined;
  /** Names in a directory; none where it is absent. @throws UnreadableSourceError for reasons other than absence */
  names(path: string): string[];
}

/** As many links as the kernel follows in one path; path_resolution(7). */
const LINKS_MAX = 40;

/** A file that tells a version or a release is far smaller. */
const FILE_MAX_BYTES = 64 * 1024;

const ABSENT_CODES: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR', 'ELOOP'];

/** Reads below another root directory, whose absolute links point into it and not into the agent's own. */
export class RootTree implements RootFiles {
  readonly #root: string;
  readonly #lastRead = new Map<string, { stamp: string; text: string }>();

  /** @param root directory without a slash at the end; `''` is the agent's own root */
  constructor(root: string) {
    this.#root = root;
  }

  read(path: string): string | undefined {
    return this.#unlessAbsent(path, (file) => this.#readChanged(file));
  }

  linkTarget(path: string): string | undefined {
    const slash = path.lastIndexOf('/');
    try {
      return readlinkSync(`${this.#resolve(path.slice(0, slash))}${path.slice(slash)}`);
    } catch {
      return undefined;
    }
  }

  has(path: string): boolean {
    return this.changedSec(path) !== undefined;
  }

  changedSec(path: string): number | undefined {
    return this.#unlessAbsent(path, (file) => {
      const found = statSync(file, { throwIfNoEntry: false });
      return found === undefined ? undefined : Math.floor(found.mtimeMs / 1000);
    });
  }

  names(path: string): string[] {
    return this.#unlessAbsent(path, (file) => readdirSync(file)) ?? [];
  }

  /** Reads the file again only when it is another one or was written to. */
  #readChanged(file: string): string {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(file);
    const stamp = [dev, ino, size, mtimeMs, ctimeMs].join();
    const last = this.#lastRead.get(file);
    if (last?.stamp === stamp) return last.text;
    const text = readSmallFile(file);
    this.#lastRead.set(file, { stamp, text });
    return text;
  }

  #unlessAbsent<T>(path: string, read: (file: string) => T): T | undefined {
    const file = this.#resolve(path);
    try {
      return read(file);
    } catch (error) {
      if (ABSENT_CODES.includes(systemCodeOf(error))) return undefined;
      throw new UnreadableSourceError(file, error);
    }
  }

  /** The path without symbolic links, as this process reaches it. */
  #resolve(path: string): string {
    // Below the agent's own root the kernel does it.
    if (this.#root === '') return path;
    const rest = path.split('/');
    let resolved = '';
    let links = 0;
    for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
      if (name === '' || name === '.') continue;
      if (name === '..') {
        resolved = resolved.slice(0, Math.max(0, resolved.lastIndexOf('/')));
        continue;
      }
      const target = links < LINKS_MAX ? targetOf(`${this.#root}${resolved}/${name}`) : undefined;
      if (target === undefined) {
        resolved += `/${name}`;
        continue;
      }
      links += 1;
      if (target.startsWith('/')) resolved = '';
      rest.unshift(...target.split('/'));
    }
    return `${this.#root}${resolved}`;
  }
}

function targetOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

function readSmallFile(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    if (size > FILE_MAX_BYTES) throw new Error(`larger than ${FILE_MAX_BYTES} bytes`);
    const buffer = Buffer.alloc(size);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, size, 0));
  } finally {
    closeSync(descriptor);
  }
}
