import { messageOf, systemCodeOf } from '../../kernel/errors.ts';
import type { MountThreads } from './mount-threads.ts';

/** Blocks and file nodes of a mounted file system; statfs(2). */
export interface FilesystemUsage {
  bsize: number;
  blocks: number;
  bfree: number;
  bavail: number;
  files: number;
  ffree: number;
}

/** The two system calls that may never return: a dead server or device behind the mount keeps them for ever. */
export interface MountCalls {
  usage(path: Buffer): Promise<FilesystemUsage>;
  /** `st_dev` of a directory; undefined for anything else. @see stat(2) */
  device(path: Buffer): Promise<number | undefined>;
}

/** The same calls on this thread, for mounts that can't hang while this process runs: waking another thread costs more than the call. */
export interface MountCallsNow {
  isSafe(path: Buffer): boolean;
  usage(path: Buffer): FilesystemUsage;
  device(path: Buffer): number | undefined;
}

export interface MountQuestion {
  /** Directory, each byte as one character. */
  path: string;
  /** `st_dev` it must have; undefined where the kernel's number identifies no device. */
  device: number | undefined;
  /** It has answered since mounts last changed, so its device need not be checked again. */
  isKnown?: boolean;
  /** Another machine answers; then others that hang must not keep local ones waiting. */
  isRemote?: boolean;
}

/**
 * `elsewhere`: another file system answers at that path, because a later mount or a sandbox hides the one asked for; or a
 * single file is mounted there.
 */
export type MountAnswer =
  | { state: 'answered'; usage: FilesystemUsage }
  | { state: 'elsewhere' | 'hanging' | 'unasked' }
  | { state: 'failed'; reason: string; code: string | undefined };

/** Deadline for all mounts of one collection together. */
const PROBE_DEADLINE_MS = 2_000;

/** Threads that calls to other machines leave to local file systems. */
const LOCAL_THREADS = 2;

/**
 * Asks mounts for their usage without ever waiting for a hung one twice.
 * A call that does not return holds a thread until it does, so a mount is not asked again meanwhile,
 * and no more calls start than there are threads.
 */
export class MountProbe {
  readonly #calls: MountCalls;
  readonly #threads: MountThreads;
  readonly #now: MountCallsNow | undefined;
  #pendingRemote = 0;

  /** @param now without it each mount may hang */
  constructor(calls: MountCalls, threads: MountThreads, now?: MountCallsNow) {
    this.#calls = calls;
    this.#threads = threads;
    this.#now = now;
  }

  /** One answer per question, in their order, within the deadline. */
  async ask(questions: readonly MountQuestion[]): Promise<MountAnswer[]> {
    const atOnce = questions.map((question) => this.#answerNow(question));
    const answers = questions.map(
      ({ path }, index): MountAnswer => atOnce[index] ?? { state: this.#threads.has(path) ? 'hanging' : 'unasked' },
    );
    const queue = [...questions.entries()].filter(
      ([index, { path }]) => atOnce[index] === undefined && !this.#threads.isHanging(path),
    );
    if (queue.length === 0) return answers;
    const nextOf = (): [number, MountQuestion] | undefined => {
      const index = queue.findIndex(([, question]) => this.#mayAsk(question));
      return index === -1 ? undefined : queue.splice(index, 1)[0];
    };
    let isOver = false;
    const work = async (): Promise<void> => {
      while (!isOver && queue.length > 0) {
        const next = nextOf();
        if (next === undefined) {
          if (!(await this.#threads.waitForChange())) return;
          continue;
        }
        const [index, question] = next;
        answers[index] = { state: 'hanging' };
        answers[index] = await this.#call(question);
      }
    };
    const workers = Array.from({ length: Math.min(this.#threads.size, queue.length) }, work);
    await withinDeadline(Promise.all(workers));
    isOver = true;
    // A copy: an answer that comes later must not change what was returned.
    return [...answers];
  }

  /** Undefined for a mount that another thread has to ask. */
  #answerNow({ path, device, isKnown = false, isRemote = false }: MountQuestion): MountAnswer | undefined {
    if (this.#now === undefined || isRemote) return undefined;
    const directory = Buffer.from(path, 'latin1');
    if (!this.#now.isSafe(directory)) return undefined;
    try {
      const usage = this.#now.usage(directory);
      return isSame({ isKnown, device }, isKnown ? device : this.#now.device(directory))
        ? { state: 'answered', usage }
        : { state: 'elsewhere' };
    } catch (error) {
      return failedAs(error);
    }
  }

  #mayAsk({ path, isRemote }: MountQuestion): boolean {
    const { size, taken, mayLeaveOne } = this.#threads;
    if (this.#threads.has(path)) return false;
    return isRemote === true ? mayLeaveOne && this.#pendingRemote < Math.max(1, size - LOCAL_THREADS) : taken < size;
  }

  #call(question: MountQuestion): Promise<MountAnswer> {
    return this.#threads.run(question.path, () => this.#answerOf(question));
  }

  async #answerOf({ path, device, isKnown = false, isRemote = false }: MountQuestion): Promise<MountAnswer> {
    if (isRemote) this.#pendingRemote += 1;
    try {
      const directory = Buffer.from(path, 'latin1');
      const usage = await this.#calls.usage(directory);
      const found = isKnown ? device : await this.#calls.device(directory);
      return isSame({ isKnown, device }, found) ? { state: 'answered', usage } : { state: 'elsewhere' };
    } catch (error) {
      return failedAs(error);
    } finally {
      if (isRemote) this.#pendingRemote -= 1;
    }
  }
}

function isSame({ isKnown, device }: Pick<MountQuestion, 'isKnown' | 'device'>, found: number | undefined): boolean {
  return isKnown === true || (found !== undefined && (device === undefined || found === device));
}

function failedAs(error: unknown): MountAnswer {
  return { state: 'failed', reason: messageOf(error).split(',')[0] ?? '', code: systemCodeOf(error) };
}

/** Resolves when the work is done or the deadline has passed. */
async function withinDeadline(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PROBE_DEADLINE_MS);
  });
  await Promise.race([work, deadline]);
  clearTimeout(timer);
}
