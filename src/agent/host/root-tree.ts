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
import { SOURCE_MAX_BYTES } from './file-reader.ts';
import type { MountGuard } from './mount-guard.ts';
import type { OwnMounts } from './own-mounts.ts';
import { READ_WITHOUT_WAITING, readLater } from './read-later.ts';

/**
 * An answer. It is a promise only if another thread has to find it: a scrape asks some twenty times, and each promise
 * has a cost.
 */
type Answer<T> = T | Promise<T>;

/**
 * Files below the machine's root directory that show what is installed. Paths are absolute; absence is an answer.
 * A mount that hangs costs its deadline and never blocks this thread. Errors are thrown at once or by the promise.
 */
export interface RootFiles {
  /** Text of a small file. @throws UnreadableSourceError for reasons other than absence */
  read(path: string): Answer<string | undefined>;
  /** Text of a symbolic link, unresolved. @throws UnreadableSourceError where its mount does not answer */
  linkTarget(path: string): Promise<string | undefined>;
  /** @throws UnreadableSourceError for reasons other than absence */
  has(path: string): Answer<boolean>;
  /** When the file was last changed, in whole Unix seconds. @throws UnreadableSourceError for reasons other than absence */
  changedSec(path: string): Answer<number | undefined>;
  /**
   * Names in a directory; an empty list if it is absent. @throws UnreadableSourceError for reasons other than absence
   */
  names(path: string): Answer<readonly string[]>;
}

/** Symbolic links followed in one path, as many as the kernel follows; path_resolution(7). */
const LINKS_MAX = 40;

/** Largest file that is read; a file with a version or a release is far smaller. */
const FILE_MAX_BYTES = 64 * 1024;

/** Texts that are kept: more than a machine has such files. Each switch of a NixOS system brings other paths. */
const FILES_KEPT_MAX = 16;

const ABSENT_CODES: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR', 'ELOOP'];

/** Knowledge of mounts that may hang, and the guard for calls to them; without it no mount is expected to hang. */
export interface MountSafety {
  mounts: Pick<OwnMounts, 'areAllSafe' | 'unsafePointOf'>;
  guard: Pick<MountGuard, 'run'>;
}

/** One question about a file in two forms: for this thread, and for another one. Errors of both carry the reason. */
interface Question<T> {
  now: (file: string) => T | undefined;
  later: (file: string) => Promise<T | undefined>;
}

// Callbacks with `promisify`, because `node:fs/promises` costs 1 MiB of memory.

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
      // Checks first whether it exists, like `linkNow`.
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
   * Resolves once the path can be looked up. Await it before this thread itself looks the path up, as in connecting to
   * a socket: on a mount that does not answer that would block for ever.
   * @throws UnreadableSourceError where its mount does not answer
   */
  mustAnswer(path: string): Promise<void> {
    return this.#mustReturn(path, promisify(stat));
  }

  /**
   * Like `mustAnswer`, for a file that this thread itself will read: the kernel may know a file's status without its
   * server, but not its content.
   * @throws UnreadableSourceError where its mount does not answer
   */
  mustBeRead(path: string): Promise<void> {
    return this.#mustReturn(path, (file) => readLater(file, SOURCE_MAX_BYTES));
  }

  async #mustReturn(path: string, later: (file: string) => Promise<unknown>): Promise<void> {
    const file = await this.#resolve(path);
    try {
      await this.#call<unknown>(
        file,
        () => statNow(file),
        () => later(file),
      );
    } catch (error) {
      // The caller's own call gets an error of the kernel, too.
      if (systemCodeOf(error) === undefined) throw new UnreadableSourceError(file, error);
    }
  }

  /** Kept text of a file that has not changed since it was last read. @throws Error for what is no small file */
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
    // The first key of a map is its oldest entry.
    for (const oldest of this.#lastRead.keys()) {
      this.#lastRead.delete(oldest);
      break;
    }
    return text;
  }

  /**
   * Asks about a file. If no mount on its path can hang, it asks on this thread: that costs no promise and no thread,
   * of which hung mounts may have left few. @throws UnreadableSourceError, at once or by the promise
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

  /**
   * Calls `now` on this thread if the file can't hang, else `later` under the guard. @param file without symbolic links
   */
  async #call<T>(file: string, now: () => T, later: () => Promise<T>): Promise<T> {
    const mount = this.#safety?.mounts.unsafePointOf(file);
    return mount === undefined || this.#safety === undefined
      ? now()
      : await this.#safety.guard.run(mount || '/', later);
  }

  /** Like `#resolve`, but synchronous; undefined if a step of the path may hang. */
  #resolveNow(path: string): string | undefined {
    if (this.#isPlain) return path;
    const walk = this.#walk(path);
    for (let step = walk.next(); ; ) {
      if (this.#safety?.mounts.unsafePointOf(step.value) !== undefined) return undefined;
      if (step.done === true) return step.value;
      step = walk.next(linkNow(step.value));
    }
  }

  /**
   * Whether paths need no resolution: below the agent's own root the kernel follows links, unless one may lead to a
   * mount that hangs.
   */
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

  /**
   * Yields each file on the path that may be a link, receives the link's target if it is one, and returns the resolved
   * file.
   */
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

  /** Like `#targetOf`, but on this thread if no mount may hang: a collection looks at some fifty directories. */
  #linkOf(file: string): string | undefined | Promise<string | undefined> {
    return this.#safety?.mounts.unsafePointOf(file) === undefined ? linkNow(file) : this.#targetOf(file);
  }

  /**
   * Target of a link; undefined if the file is not a link, or is absent.
   * @param file in a directory without symbolic links @throws UnreadableSourceError
   */
  async #targetOf(file: string): Promise<string | undefined> {
    try {
      return await this.#call(
        file,
        () => linkNow(file),
        () => promisify(readlink)(file),
      );
    } catch (error) {
      // The kernel's error means that it is not a link; a mount that does not answer gives an error without a code.
      if (systemCodeOf(error) !== undefined) return undefined;
      throw new UnreadableSourceError(file, error);
    }
  }
}

const NO_NAMES: readonly string[] = [];

/** Status of a file; undefined if it is absent. It avoids an error, which would cost ten times as much. */
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

/**
 * Checks first whether the file is a link: an error costs ten times as much as an answer, and most files are not links.
 */
function linkNow(file: string): string | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(file) : undefined;
  } catch {
    // The path goes through a file, or a directory that is closed to this account: the call for the file itself reports
    // it.
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

/** Like `readSmallFile`, asynchronously. A file that grew since `stat` is truncated. */
async function readSmallFileLater(file: string): Promise<string> {
  const descriptor = await promisify(open)(file, READ_WITHOUT_WAITING);
  try {
    const { bytesRead, buffer } = await promisify(read)(descriptor, Buffer.alloc(FILE_MAX_BYTES), 0, FILE_MAX_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await promisify(close)(descriptor);
  }
}
