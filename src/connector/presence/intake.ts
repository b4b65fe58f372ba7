import type { Logger } from '../../kernel/log.ts';
import type { BouncerSession, ObservedLine } from '../ports/bouncer-session.ts';

/** Lines stored in one transaction. */
const LINES_AT_ONCE = 500;
/** When more items than this wait, reading from the bouncer stops until only `RESUME_AT` wait. */
const PAUSE_AT = 2_000;
const RESUME_AT = 500;
/** Wait after a failure of the database; the items are kept, and reading from the bouncer stops. */
const RETRY_MS = 1_000;

/** Receives the lines of one session. */
export interface LineSink {
  takeLive(lines: readonly ObservedLine[]): Promise<void>;
}

/** A live line on its way to its session's sink, or something to do between lines. */
export type IntakeItem =
  | { kind: 'line'; observed: ObservedLine; sink: LineSink }
  | { kind: 'task'; run: () => Promise<void> };

export interface IntakeOptions {
  /** Runs a task in the account's queue. */
  run: (task: () => Promise<void>) => Promise<void>;
  log: Logger;
}

type Flow = Pick<BouncerSession, 'pause' | 'resume'>;

/** Queue from a session to the database: keeps the order, stores many lines in one transaction, and stays bounded. */
export class Intake {
  readonly #options: IntakeOptions;
  #items: IntakeItem[] = [];
  #flow: Flow | undefined;
  #isPaused = false;
  #isDraining = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** The session that is paused when too many items wait; undefined when there is no session. */
  set flow(flow: Flow | undefined) {
    this.#flow = flow;
    this.#isPaused = false;
    this.#throttle();
  }

  /** Items that wait to be stored. */
  get size(): number {
    return this.#items.length;
  }

  add(item: IntakeItem): void {
    if (this.#isClosed) return;
    this.#items.push(item);
    this.#throttle();
    if (!this.#isDraining) void this.#drain();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#items = [];
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    try {
      while (this.#items.length > 0) {
        // Each step is a task of its own in the account's queue, so that sends can run in between.
        await this.#options.run(() => this.#step());
        this.#throttle();
      }
    } catch (error) {
      this.#options.log.error({ err: error }, 'lines from the bouncer can’t be stored; trying again');
      this.#retry = setTimeout(() => void this.#drain(), RETRY_MS);
      return;
    }
    this.#isDraining = false;
  }

  async #step(): Promise<void> {
    const [first] = this.#items;
    if (first === undefined) return;
    if (first.kind === 'task') {
      await first.run();
      this.#items.shift();
      return;
    }
    const lines = this.#linesFor(first.sink);
    await first.sink.takeLive(lines);
    this.#items.splice(0, lines.length);
  }

  #linesFor(sink: LineSink): ObservedLine[] {
    const lines: ObservedLine[] = [];
    for (const item of this.#items) {
      if (lines.length === LINES_AT_ONCE || item.kind !== 'line' || item.sink !== sink) break;
      lines.push(item.observed);
    }
    return lines;
  }

  #throttle(): void {
    if (!this.#isPaused && this.#items.length >= PAUSE_AT) {
      this.#isPaused = true;
      this.#flow?.pause();
    } else if (this.#isPaused && this.#items.length <= RESUME_AT) {
      this.#isPaused = false;
      this.#flow?.resume();
    }
  }
}
