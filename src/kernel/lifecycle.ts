import type { HeldSignals } from './held-signals.ts';
import type { Logger } from './logger.ts';

/** Default time that a program may take to end after SIGTERM; then it exits at once. */
const END_DEADLINE_MS = 10_000;

interface Step {
  name: string;
  close: () => Promise<void> | void;
  deadlineMs: number | undefined;
}

/**
 * Closes the parts of a program in the reverse order of their opening; every step runs even if one throws. It owns the
 * exit: each service adds its steps, and signals or a fatal failure start the end.
 */
export class Lifecycle {
  readonly #log: Logger;
  readonly #exit: (status: number) => void;
  readonly #endDeadlineMs: number;
  readonly #steps: Step[] = [];
  #closing: Promise<void> | undefined;
  #endsAtMs = Number.POSITIVE_INFINITY;
  /** The step that was started out of order; the next step begins after its end. */
  #urgent: Promise<void> | undefined;

  /**
   * @param exit ends the process; the usual way waits for every thread, also for one that hangs
   * @param endDeadlineMs less than `TimeoutStopSec` of the program's unit
   */
  constructor(
    log: Logger,
    exit: (status: number) => void = (status) => process.exit(status),
    endDeadlineMs = END_DEADLINE_MS,
  ) {
    this.#log = log;
    this.#exit = exit;
    this.#endDeadlineMs = endDeadlineMs;
  }

  /**
   * Adds a step for `close`; call right after the thing was opened.
   * @param deadlineMs the next steps wait no longer for this one
   */
  add(name: string, close: () => Promise<void> | void, deadlineMs?: number): void {
    this.#steps.push({ name, close, deadlineMs });
  }

  /** Whether the end has begun. */
  get isEnding(): boolean {
    return this.#closing !== undefined;
  }

  /** Time of the forced exit, on the clock of `performance.now()`; infinite while the program is not ending. */
  get endsAtMs(): number {
    return this.#endsAtMs;
  }

  /** Ends everything once; later calls wait for the same end. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  /**
   * From now on SIGTERM and SIGINT end the program with status 0, a second one or the deadline at once with 1. Call it before
   * anything can be lost; what is added while the program ends is closed, too.
   */
  endOnSignals(signals: Pick<HeldSignals, 'onEnd'>): void {
    signals.onEnd((signal) => {
      if (this.#closing !== undefined) return this.#exit(1);
      this.#log.info({ signal }, 'ending');
      this.#endInTime();
      void this.close().then(() => this.#exit(0));
    });
  }

  /**
   * Ends the program with status 1, because it can't go on, so that it is started again.
   * @param first the step that must not wait for the others, even if the program is already ending
   */
  endFailed(first?: string): void {
    this.#endInTime();
    const urgent = this.#steps.findIndex(({ name }) => name === first);
    for (const step of urgent < 0 ? [] : this.#steps.splice(urgent, 1)) this.#urgent = this.#closeStep(step);
    void this.close().then(() => this.#exit(1));
  }

  #endInTime(): void {
    this.#endsAtMs = Math.min(this.#endsAtMs, performance.now() + this.#endDeadlineMs);
    setTimeout(() => this.#exit(1), this.#endDeadlineMs).unref();
  }

  async #closeAll(): Promise<void> {
    for (;;) {
      if (this.#urgent !== undefined) await this.#urgent;
      const step = this.#steps.pop();
      if (step === undefined) return;
      await this.#closeStep(step);
    }
  }

  async #closeStep({ name, close, deadlineMs }: Step): Promise<void> {
    try {
      await (deadlineMs === undefined ? close() : inTime(close(), deadlineMs));
    } catch (error) {
      this.#log.error({ err: error, part: name }, 'could not close');
    }
  }
}

/** @throws Error when the work takes longer; then it goes on */
async function inTime(work: Promise<void> | void, deadlineMs: number): Promise<void> {
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(() => tooLate.reject(new Error(`it has not ended after ${deadlineMs} ms`)), deadlineMs);
  try {
    await Promise.race([work, tooLate.promise]);
  } finally {
    clearTimeout(timer);
  }
}
