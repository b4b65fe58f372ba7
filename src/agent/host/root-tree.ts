import {
  access,
  accessSync,
  close,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  open,
  openSync,
  read,
  readdir,
  readdirSync,
  readlink,
  readlinkSync,
  readSync,
  type Stats,
  stat,
  statSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { systemCodeOf } from '../../kernel/errors.ts';
import { UnreadableSourceError } from '../errors.ts';
import type { MountGuard } from './mount-guard.ts';
import type { OwnMounts } from './own-mounts.ts';
import { READ_WITHOUT_WAITING } from './read-later.ts';

/**
 * Files that tell what is installed, below the machine's root directory. Paths are absolute; absence is an answer.
 * A mount that hangs costs its deadline and never holds up this thread.
 */
export interface RootFiles {
  /** Text of a small file. @throws UnreadableSourceError for reasons other than absence */
  read(path: string): Promise<string | undefined>;
  /** What a symbolic link says, as it stands there. @throws UnreadableSourceError where it can't be told whether there is one */
  linkTarget(path: string): Promise<string | undefined>;
  /** @throws UnreadableSourceError for reasons other than absence */
  has(path: string): Promise<boolean>;
  /** When the file was last changed, in whole Unix seconds. @throws UnreadableSourceError for reasons other than absence */
  changedSec(path: string): Promise<number | undefined>;
  /** Names in a directory; none where it is absent. @throws UnreadableSourceError for reasons other than absence */
  names(path: string): Promise<string[]>;
}

/** As many links as the kernel follows in one path; path_resolution(7). */
const LINKS_MAX = 40;

/** A file that tells a version or a release is far smaller. */
const FILE_MAX_BYTES = 64 * 1024;

/** More than a machine has of them; each switch of a NixOS system brings others. */
const FILES_KEPT_MAX = 16;

const ABSENT_CODES: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR', 'ELOOP'];

/** What the tree needs to know about mounts; without it none hangs. */
export interface MountSafety {
  mounts: Pick<OwnMounts, 'areAllSafe' | 'unsafePointOf'>;
  guard: Pick<MountGuard, 'run'>;
}

// By callback and `promisify`: `node:fs/promises` is 1 MiB of memory.

/** Reads below another root directory, whose absolute links point into it and not into the agent's own. */
export class RootTree implements RootFiles {
  readonly #root: string;
  readonly #safety: MountSafety | undefined;
  readonly #lastRead = new Map<string, { stamp: string; text: string }>();

  /** @param root directory without a slash at the end; `''` is the agent's own root */
  constructor(root: string, safety?: MountSafety) {
    this.#root = root;
    this.#safety = safety;
  }

  read(path: string): Promise<string | undefined> {
    return this.#unlessAbsent(path, (file) => this.#readChanged(file));
  }

  async linkTarget(path: string): Promise<string | undefined> {
    const slash = path.lastIndexOf('/');
    const link = `${await this.#resolve(path.slice(0, slash))}${path.slice(slash)}`;
    return await this.#targetOf(link);
  }

  async has(path: string): Promise<boolean> {
    return (await this.changedSec(path)) !== undefined;
  }

  changedSec(path: string): Promise<number | undefined> {
    return this.#unlessAbsent(path, async (file) => {
      const found = await this.#stat(file);
      return found === undefined ? undefined : Math.floor(found.mtimeMs / 1000);
    });
  }

  async names(path: string): Promise<string[]> {
    const names = await this.#unlessAbsent(path, (file) =>
      this.#call(
        file,
        // Asks first whether it is there, as `linkNow` does.
        () => (statSync(file, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(file)),
        () => promisify(readdir)(file),
      ),
    );
    return names ?? [];
  }

  /** Whether this process may run the file. @throws UnreadableSourceError where its mount does not answer */
  async isExecutable(path: string): Promise<boolean> {
    const file = await this.#resolve(path);
    try {
      await this.#call(
        file,
        () => accessSync(file, constants.X_OK),
        () => promisify(access)(file, constants.X_OK),
      );
      return true;
    } catch (error) {
      if (systemCodeOf(error) !== undefined) return false;
      throw new UnreadableSourceError(file, error);
    }
  }

  /**
   * To be awaited before this thread itself is to find a path, as it does to connect to a socket: on a mount that does not answer it would wait for ever.
   * @throws UnreadableSourceError where its mount does not answer
   */
  async mustAnswer(path: string): Promise<void> {
    const file = await this.#resolve(path);
    try {
      await this.#stat(file);
    } catch (error) {
      // What the kernel says of it, it says to the next call, too.
      if (systemCodeOf(error) === undefined) throw new UnreadableSourceError(file, error);
    }
  }

  /** Reads the file again only when it is another one or was written to. */
  async #readChanged(file: string): Promise<string | undefined> {
    const found = await this.#stat(file);
    if (found === undefined) return undefined;
    if (found.isFIFO()) throw new Error('a pipe in place of a file');
    const { dev, ino, size, mtimeMs, ctimeMs } = found;
    const stamp = [dev, ino, size, mtimeMs, ctimeMs].join();
    const last = this.#lastRead.get(file);
    if (last?.stamp === stamp) return last.text;
    if (size > FILE_MAX_BYTES) throw new Error(`larger than ${FILE_MAX_BYTES} bytes`);
    const text = await this.#call(
      file,
      () => readSmallFile(file),
      () => readSmallFileLater(file),
    );
    this.#keep(file, { stamp, text });
    return text;
  }

  #keep(file: string, read: { stamp: string; text: string }): void {
    this.#lastRead.set(file, read);
    if (this.#lastRead.size <= FILES_KEPT_MAX) return;
    // The one that was put there first.
    for (const oldest of this.#lastRead.keys()) {
      this.#lastRead.delete(oldest);
      return;
    }
  }

  /** Undefined for what is not there, where that is known without an error. */
  #stat(file: string): Promise<Stats | undefined> {
    return this.#call(
      file,
      () => statSync(file, { throwIfNoEntry: false }),
      () => promisify(stat)(file),
    );
  }

  /**
   * On this thread where the file can't hang: that costs no thread, of which hung mounts may have left few.
   * @param file without symbolic links
   */
  async #call<T>(file: string, now: () => T, later: () => Promise<T>): Promise<T> {
    const mount = this.#safety?.mounts.unsafePointOf(file);
    return mount === undefined || this.#safety === undefined
      ? now()
      : await this.#safety.guard.run(mount || '/', later);
  }

  async #unlessAbsent<T>(path: string, read: (file: string) => Promise<T>): Promise<T | undefined> {
    const file = await this.#resolve(path);
    try {
      return await read(file);
    } catch (error) {
      if (ABSENT_CODES.includes(systemCodeOf(error))) return undefined;
      throw new UnreadableSourceError(file, error);
    }
  }

  /** The path without symbolic links, as this process reaches it. @throws UnreadableSourceError */
  async #resolve(path: string): Promise<string> {
    // Below the agent's own root the kernel does it, unless a link may lead to a mount that hangs.
    if (this.#root === '' && this.#safety?.mounts.areAllSafe !== false) return path;
    const rest = path.split('/');
    let resolved = '';
    let links = 0;
    for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
      if (name === '' || name === '.') continue;
      if (name === '..') {
        resolved = resolved.slice(0, Math.max(0, resolved.lastIndexOf('/')));
        continue;
      }
      const target = links < LINKS_MAX ? await this.#linkOf(`${this.#root}${resolved}/${name}`) : undefined;
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

  /** `#targetOf`, in another thread only where a mount may hang: a collection looks at some fifty directories. */
  #linkOf(file: string): string | undefined | Promise<string | undefined> {
    return this.#safety?.mounts.unsafePointOf(file) === undefined ? linkNow(file) : this.#targetOf(file);
  }

  /** Undefined for what is not a link, or is absent. @param file in a directory without symbolic links @throws UnreadableSourceError */
  async #targetOf(file: string): Promise<string | undefined> {
    try {
      return await this.#call(
        file,
        () => linkNow(file),
        () => promisify(readlink)(file),
      );
    } catch (error) {
      // The kernel says why it is not a link; a mount that does not answer has no such word.
      if (systemCodeOf(error) !== undefined) return undefined;
      throw new UnreadableSourceError(file, error);
    }
  }
}

/** Asks first whether it is a link: an error costs ten times as much as an answer, and most files are none. */
function linkNow(file: string): string | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(file) : undefined;
  } catch {
    // Below a file, or in a directory that is closed to this account: the call for the file itself says so.
    return undefined;
  }
}

function readSmallFile(file: string): string {
  const descriptor = openSync(file, READ_WITHOUT_WAITING);
  try {
    const { size } = fstatSync(descriptor);
    if (size > FILE_MAX_BYTES) throw new Error(`larger than ${FILE_MAX_BYTES} bytes`);
    const buffer = Buffer.alloc(size);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, size, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** The same in another thread; it may have grown since it was looked at, and is then cut. */
async function readSmallFileLater(file: string): Promise<string> {
  const descriptor = await promisify(open)(file, READ_WITHOUT_WAITING);
  try {
    const { bytesRead, buffer } = await promisify(read)(descriptor, Buffer.alloc(FILE_MAX_BYTES), 0, FILE_MAX_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await promisify(close)(descriptor);
  }
}
