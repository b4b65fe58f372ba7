import { setTimeout as delay } from 'node:timers/promises';
import type { ManagedProcess, ProcessEnd } from '../stack/managed-process.ts';

/** Most restarts within the window: a program that ends more often is broken, and a restart would hide that. */
const RESTARTS_MAX = 5;
const RESTART_WINDOW_MS = 30_000;

/** Pause in which the kernel frees the ports of a killed program. */
const RESTART_DELAY_MS = 100;

export interface SupervisorEvents {
  /** The program ended by itself and is about to be started again. */
  ended(name: string, how: string): void;
  restarted(name: string, pid: number): void;
  /** The program keeps ending and is not started again. */
  gaveUp(name: string, reason: string): void;
  /** A person ended the program; it is not started again. */
  finished(name: string): void;
}

export interface SupervisorOptions {
  start: () => Promise<ManagedProcess>;
  /** Whether exit status 0 is a wanted end, as when a person closes a window. */
  mayFinish: boolean;
}

/** Keeps one program running: after every unwanted end it starts again with the same command line, ports and data. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #events: SupervisorEvents;
  readonly #ends: number[] = [];
  #process: ManagedProcess;
  #stopping = false;
  #watching: Promise<void>;

  private constructor(process: ManagedProcess, options: SupervisorOptions, events: SupervisorEvents) {
    this.#process = process;
    this.#options = options;
    this.#events = events;
    this.#watching = this.#watch();
  }

  /** Starts the program; rejects when the first start fails. */
  static async start(options: SupervisorOptions, events: SupervisorEvents): Promise<Supervisor> {
    return new Supervisor(await options.start(), options, events);
  }

  get pid(): number {
    return this.#process.pid;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#process.stop();
    await this.#watching;
    await this.#process.stop();
  }

  async #watch(): Promise<void> {
    while (!this.#stopping) {
      const end = await this.#process.ended;
      if (this.#stopping) return;
      if (this.#options.mayFinish && end.exitCode === 0) {
        this.#events.finished(this.#process.name);
        return;
      }
      if (this.#isBroken()) return;
      this.#events.ended(this.#process.name, howOf(end));
      await delay(RESTART_DELAY_MS);
      if (!this.#stopping) await this.#restart();
    }
  }

  async #restart(): Promise<void> {
    try {
      this.#process = await this.#options.start();
      if (!this.#stopping) this.#events.restarted(this.#process.name, this.#process.pid);
    } catch {
      // The ended process stays the current one, so the watch tries again or gives up.
    }
  }

  #isBroken(): boolean {
    const now = performance.now();
    this.#ends.push(now);
    const recent = this.#ends.filter((time) => now - time < RESTART_WINDOW_MS).length;
    if (recent <= RESTARTS_MAX) return false;
    const lastWords = this.#process.output().trim().split('\n').slice(-10).join('\n');
    this.#events.gaveUp(
      this.#process.name,
      `it ended ${recent} times within ${RESTART_WINDOW_MS / 1000} s\n${lastWords}`,
    );
    return true;
  }
}

const howOf = ({ signal, exitCode }: ProcessEnd): string => signal ?? `exit status ${exitCode ?? 'unknown'}`;
