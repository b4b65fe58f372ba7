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

/** A promise only where another thread has to answer: a scrape asks some twenty times, and each promise costs it. */
type Answer<T> = T | Promise<T>;

/**
 * Files that tell what is installed, below the machine's root directory. Paths are absolute; absence is an answer.
 * A mount that hangs costs its deadline and never holds up this thread. What is thrown is thrown at once or by the promise.
 */
export interface RootFiles {
  /** Text of a small file. @throws UnreadableSourceError for reasons other than absence */
  read(path: string): Answer<string | undefined>;
  /** What a symbolic link says, as it stands there. @throws UnreadableSourceError where it can't be told whether there is one */
  linkTarget(path: string): Promise<string | undefined>;
  /** @throws UnreadableSourceError for reasons other than absence */
  has(path: string): Answer<boolean>;
  /** When the file was last changed, in whole Unix seconds. @throws UnreadableSourceError for reasons other than absence */
  changedSec(path: string): Answer<number | undefined>;
  /** Names in a directory; none where it is absent. @throws UnreadableSourceError for reasons other than absence */
  names(path: string): Answer<readonly string[]>;
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

/** How a file is asked: on this thread, and in another one. What both throw says why. */
interface Question<T> {
  now: (file: string) => T | undefined;
  later: (file: string) => Promise<T | undefined>;
}

// By callback and `promisify`: `node:fs/promises` is 1 MiB of memory.

/** Reads below another root directory, whose absolute links point into it and not into the agent's own. */
export class RootTree implements RootFiles {
  readonly #root: string;
  readonly #safety: MountSafety | undefined;
  readonly #lastRead = new Map<string, { stats: Stats; text: string }>();

  /** @param root directory without a slash at the end; `''` is the agent's own root */
  constructor(root: string, safety?: MountSafety) {
    this.#root = root;
    this.#safety = safety;
  }

  read(path: string): Answer<string | undefined> {
    return this.#answer(path, {
      now: (file) => {
        const found = statNow(file);
        return this.#unchangedText(file, found) ?? this.#keep(file, found, found && readSmallFile(file));
      },
      later: async (file) => {
        const found = await promisify(stat)(file);
        return this.#unchangedText(file, found) ?? this.#keep(file, found, await readSmallFileLater(file));
      },
    });
  }

  async linkTarget(path: string): Promise<string | undefined> {
    const slash = path.lastIndexOf('/');
    const link = `${await this.#resolve(path.slice(0, slash))}${path.slice(slash)}`;
    return await this.#targetOf(link);
  }

  has(path: string): Answer<boolean> {
    const changed = this.changedSec(path);
    return changed instanceof Promise ? changed.then(isKnown) : isKnown(changed);
  }

  changedSec(path: string): Answer<number | undefined> {
    return this.#answer(path, {
      now: (file) => secondsOf(statNow(file)),
      later: async (file) => secondsOf(await promisify(stat)(file)),
    });
  }

  names(path: string): Answer<readonly string[]> {
    const names = this.#answer<readonly string[]>(path, {
      // Asks first whether it is there, as `linkNow` does.
      now: (file) => (statNow(file) === undefined ? undefined : readdirSync(file)),
      later: (file) => promisify(readdir)(file),
    });
    return names instanceof Promise ? names.then((found) => found ?? NO_NAMES) : (names ?? NO_NAMES);
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
      await this.#call(
        file,
        () => statNow(file),
        () => promisify(stat)(file),
      );
    } catch (error) {
      // What the kernel says of it, it says to the next call, too.
      if (systemCodeOf(error) === undefined) throw new UnreadableSourceError(file, error);
    }
  }

  /** Text of a file that is the same one as at its last reading, and was not written to since. @throws Error for what is no small file */
  #unchangedText(file: string, found: Stats | undefined): string | undefined {
    if (found === undefined) return undefined;
    if (found.isFIFO()) throw new Error('a pipe in place of a file');
    const last = this.#lastRead.get(file);
    if (last !== undefined && isSameFile(last.stats, found)) return last.text;
    if (found.size > FILE_MAX_BYTES) throw new Error(`larger than ${FILE_MAX_BYTES} bytes`);
    return undefined;
  }

  #keep(file: string, stats: Stats | undefined, text: string | undefined): string | undefined {
    if (stats === undefined || text === undefined) return undefined;
    this.#lastRead.set(file, { stats, text });
    if (this.#lastRead.size <= FILES_KEPT_MAX) return text;
    // The one that was put there first.
    for (const oldest of this.#lastRead.keys()) {
      this.#lastRead.delete(oldest);
      break;
    }
    return text;
  }

  /**
   * Asks about a file, on this thread where nothing on the way to it can hang: that costs no promise, and no thread, of
   * which hung mounts may have left few. @throws UnreadableSourceError, at once or by the promise
   */
  #answer<T>(path: string, { now, later }: Question<T>): Answer<T | undefined> {
    const file = this.#resolveNow(path);
    if (file === undefined) return this.#answerLater(path, { now, later });
    try {
      return now(file);
    } catch (error) {
      return undefinedIfAbsent(error, file);
    }
  }

  async #answerLater<T>(path: string, { now, later }: Question<T>): Promise<T | undefined> {
    const file = await this.#resolve(path);
    try {
      return await this.#call(
        file,
        () => now(file),
        () => later(file),
      );
    } catch (error) {
      return undefinedIfAbsent(error, file);
    }
  }

  /** On this thread where the file can't hang. @param file without symbolic links */
  async #call<T>(file: string, now: () => T, later: () => Promise<T>): Promise<T> {
    const mount = this.#safety?.mounts.unsafePointOf(file);
    return mount === undefined || this.#safety === undefined
      ? now()
      : await this.#safety.guard.run(mount || '/', later);
  }

  /** As `#resolve`, where no step of the way can hang; undefined where one can. */
  #resolveNow(path: string): string | undefined {
    if (this.#isPlain) return path;
    const walk = this.#walk(path);
    for (let step = walk.next(); ; ) {
      if (this.#safety?.mounts.unsafePointOf(step.value) !== undefined) return undefined;
      if (step.done === true) return step.value;
      step = walk.next(linkNow(step.value));
    }
  }

  /** Below the agent's own root the kernel follows links, unless one may lead to a mount that hangs. */
  get #isPlain(): boolean {
    return this.#root === '' && this.#safety?.mounts.areAllSafe !== false;
  }

  /** The path without symbolic links, as this process reaches it. @throws UnreadableSourceError */
  async #resolve(path: string): Promise<string> {
    if (this.#isPlain) return path;
    const walk = this.#walk(path);
    for (let step = walk.next(); ; step = walk.next(await this.#linkOf(step.value))) {
      if (step.done === true) return step.value;
    }
  }

  /** Yields each file on the way that may be a link, takes what it says, if it is one, and returns the file the path leads to. */
  *#walk(path: string): Generator<string, string, string | undefined> {
    const rest = path.split('/');
    let resolved = '';
    let links = 0;
    for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
      if (name === '' || name === '.') continue;
      if (name === '..') {
        resolved = resolved.slice(0, Math.max(0, resolved.lastIndexOf('/')));
        continue;
      }
      const target = links < LINKS_MAX ? yield `${this.#root}${resolved}/${name}` : undefined;
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

const NO_NAMES: readonly string[] = [];

/** Undefined for what is not there, without an error, which costs ten times as much. */
const statNow = (file: string): Stats | undefined => statSync(file, { throwIfNoEntry: false });

const secondsOf = (found: Stats | undefined): number | undefined =>
  found === undefined ? undefined : Math.floor(found.mtimeMs / 1000);

const isKnown = (seconds: number | undefined): boolean => seconds !== undefined;

function isSameFile(a: Stats, b: Stats): boolean {
  return a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino && a.dev === b.dev && a.size === b.size;
}

/** @throws UnreadableSourceError for reasons other than absence */
function undefinedIfAbsent(error: unknown, file: string): undefined {
  if (ABSENT_CODES.includes(systemCodeOf(error))) return undefined;
  throw new UnreadableSourceError(file, error);
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
