import { CALL_DEADLINE_MS, type MountThreads } from './mount-threads.ts';

/** Most calls at a time; each may hang. */
const CALLS_MAX = 2;

/**
 * Runs calls to files below mounts that may hang. They run in other threads, one at a time for each mount, each within
 * a deadline. A mount with a call that does not return is not touched again until it does.
 */
export class MountGuard {
  readonly #threads: MountThreads;
  #calls = 0;

  constructor(threads: MountThreads) {
    this.#threads = threads;
  }

  /** @param call must not touch the file before it is called @throws Error when the mount does not answer */
  async run<T>(mount: string, call: () => Promise<T>): Promise<T> {
    // The same key as in `MountProbe`, so that both see one mount's calls.
    const key = Buffer.from(mount).toString('latin1');
    while (this.#threads.has(key) || !this.#isFree) {
      if (this.#threads.isHanging(key)) throw new Error(`${mount} does not answer`);
      if (!(await this.#threads.waitForChange())) {
        throw new Error(`${mount} was not asked, because other file systems do not answer`);
      }
    }
    return await within(
      mount,
      this.#threads.run(key, () => this.#counted(call)),
    );
  }

  get #isFree(): boolean {
    return this.#calls < CALLS_MAX && this.#threads.mayLeaveOne;
  }

  async #counted<T>(call: () => Promise<T>): Promise<T> {
    this.#calls += 1;
    try {
      return await call();
    } finally {
      this.#calls -= 1;
    }
  }
}

async function within<T>(mount: string, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${mount} does not answer`)), CALL_DEADLINE_MS);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
