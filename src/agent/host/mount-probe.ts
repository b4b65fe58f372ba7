import { messageOf } from '../../kernel/errors.ts';

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
  /** `st_dev` of the directory; stat(2). */
  device(path: Buffer): Promise<number>;
}

export interface MountQuestion {
  /** Directory, each byte as one character. */
  path: string;
  /** `st_dev` it must have; undefined where the kernel gives no telling number. */
  device: number | undefined;
  /** Another machine answers; then others that hang must not keep local ones waiting. */
  isRemote?: boolean;
}

/** `elsewhere`: another file system answers at that path, because a later mount or a sandbox hides the one asked for. */
export type MountAnswer =
  | { state: 'answered'; usage: FilesystemUsage }
  | { state: 'elsewhere' | 'hanging' | 'unasked' }
  | { state: 'failed'; reason: string };

/** How long all mounts of one collection together may take. */
const PROBE_DEADLINE_MS = 2_000;

/** Threads that calls to other machines leave to local file systems. */
const LOCAL_THREADS = 2;

/**
 * Asks mounts for their usage without ever waiting for a hung one twice.
 * A call that does not return holds a thread until it does, so a mount is not asked again meanwhile,
 * and no more calls start than there are threads; nothing else of the agent uses these threads.
 */
export class MountProbe {
  readonly #calls: MountCalls;
  readonly #threads: number;
  readonly #pending = new Set<string>();
  #pendingRemote = 0;

  /** @param threads size of Node's thread pool */
  constructor(calls: MountCalls, threads: number) {
    this.#calls = calls;
    this.#threads = threads;
  }

  /** Whether a call has not returned: then the process cannot end in the usual way, which joins the threads. */
  get isHanging(): boolean {
    return this.#pending.size > 0;
  }

  /** One answer per question, in their order, within the deadline. */
  async ask(questions: readonly MountQuestion[]): Promise<MountAnswer[]> {
    const answers = questions.map(
      ({ path }): MountAnswer => ({ state: this.#pending.has(path) ? 'hanging' : 'unasked' }),
    );
    const queue = [...questions.entries()].filter(([, { path }]) => !this.#pending.has(path));
    const nextOf = (): [number, MountQuestion] | undefined => {
      const index = queue.findIndex(([, { isRemote }]) => isRemote !== true || this.#mayAskRemote());
      return index === -1 ? undefined : queue.splice(index, 1)[0];
    };
    let isOver = false;
    const work = async (): Promise<void> => {
      for (let next = nextOf(); next !== undefined && !isOver; next = nextOf()) {
        const [index, question] = next;
        answers[index] = { state: 'hanging' };
        answers[index] = await this.#call(question);
      }
    };
    const free = Math.max(0, this.#threads - this.#pending.size);
    const workers = Array.from({ length: Math.min(free, queue.length) }, work);
    await withinDeadline(Promise.all(workers));
    isOver = true;
    // A copy: an answer that comes later must not change what was returned.
    return [...answers];
  }

  #mayAskRemote(): boolean {
    return this.#pendingRemote < Math.max(1, this.#threads - LOCAL_THREADS);
  }

  async #call({ path, device, isRemote = false }: MountQuestion): Promise<MountAnswer> {
    this.#pending.add(path);
    if (isRemote) this.#pendingRemote += 1;
    try {
      const directory = Buffer.from(path, 'latin1');
      const usage = await this.#calls.usage(directory);
      const isSame = device === undefined || (await this.#calls.device(directory)) === device;
      return isSame ? { state: 'answered', usage } : { state: 'elsewhere' };
    } catch (error) {
      return { state: 'failed', reason: messageOf(error).split(',')[0] ?? '' };
    } finally {
      this.#pending.delete(path);
      if (isRemote) this.#pendingRemote -= 1;
    }
  }
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
