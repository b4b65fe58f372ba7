import type { WireEvent } from 'x11';
import { AdmittedPresses } from './admitted-presses.ts';

/** What filters see; other events that are bound keep their place among these. */
const INPUT_EVENTS = ['KeyPress', 'KeyRelease', 'ButtonPress', 'ButtonRelease', 'MotionNotify'] as const;

export type InputEventName = (typeof INPUT_EVENTS)[number];

/**
 * What sees key and button events before the translations do, such as an input method. It may answer later; until
 * then later events wait.
 */
export interface InputFilter {
  /** For messages. */
  readonly name: string;
  /** The kinds of events that it looks at; without them, all. */
  readonly events?: readonly InputEventName[];
  /** Nothing of it is open: events pass it by. Read before each event. */
  readonly isIdle?: boolean;
  /** How long it may hold an event; without it, as long as an input method may. */
  readonly deadlineMs?: number;
  /** True when the event goes no further. */
  filter(event: WireEvent): boolean | Promise<boolean>;
}

/**
 * How long one filter may hold one event, unless it says otherwise. On a busy machine an input method that works
 * may take a second, and keys that go on without it write what was to be composed.
 */
const FILTER_DEADLINE_MS = 2_000;

/** How long an answer of the X server, such as a changed keyboard mapping, may hold events. */
const ANSWER_DEADLINE_MS = 10_000;

/** Events that may wait, beside releases of what went through. */
const HELD_MAX = 256;

const NO_FILTERS: readonly InputFilter[] = [];

type Entry =
  | { kind: 'event'; event: WireEvent }
  | { kind: 'work'; work(): void }
  /** No event passes before `answer` is there, or is late; then `takeUp` gets it. */
  | { kind: 'answer'; answer: Promise<unknown>; takeUp(found: unknown): void };

/** Result of a filter that did not answer in time; the event passes on. */
const LATE = Symbol('late');

/**
 * The way of input, in order: every filter, one after the other, then the translations. While any stage waits, later
 * events wait behind it. Where nothing waits an event is through before `take` returns.
 */
export class InputPipeline {
  /** By the event's name, those that look at it, in order. */
  readonly #filters: ReadonlyMap<string | undefined, readonly InputFilter[]>;
  readonly #deliver: (event: WireEvent) => void;
  readonly #noteTaken: (event: WireEvent) => void;
  readonly #warn: (message: string) => void;
  readonly #held: Entry[] = [];
  readonly #presses = new AdmittedPresses();
  /** Filters that were late and have not answered since; events skip them. */
  readonly #late = new Set<InputFilter>();
  /** An event is being handled or a stage waits: new events must queue. */
  #isBusy = false;
  #isOverflowTold = false;
  #isStopped = false;

  constructor(options: {
    filters: readonly InputFilter[];
    deliver(event: WireEvent): void;
    /** A filter has taken the event. */
    taken?(event: WireEvent): void;
    warn(message: string): void;
  }) {
    const seeing = (name: InputEventName): InputFilter[] =>
      options.filters.filter(({ events }) => events === undefined || events.includes(name));
    this.#filters = new Map(INPUT_EVENTS.map((name) => [name, seeing(name)]));
    this.#deliver = (event) => options.deliver(event);
    this.#noteTaken = (event) => options.taken?.(event);
    this.#warn = (message) => options.warn(message);
  }

  take(event: WireEvent): void {
    if (this.#isStopped) return;
    const newest = this.#held.at(-1);
    // Of motions that wait only the last counts.
    if (event.name === 'MotionNotify' && newest?.kind === 'event' && newest.event.name === 'MotionNotify') {
      newest.event = event;
    } else if (this.#presses.admits(event, this.#held.length < HELD_MAX)) this.#put({ kind: 'event', event });
    else this.#tellOverflow();
  }

  /** Does what belongs behind all events so far: at once where none waits. The same work is done once behind the same event. */
  behindEvents(work: () => void): void {
    const newest = this.#held.at(-1);
    if (this.#isStopped || (newest?.kind === 'work' && newest.work === work)) return;
    this.#put({ kind: 'work', work });
  }

  /**
   * Events from now on wait for an answer; those before it do not. A rejection counts as an answer. A late answer
   * no longer holds events, but `takeUp` still gets it when it comes.
   */
  holdFor<T>(answer: Promise<T>, takeUp: (answer: T | undefined) => void): void {
    const settled = answer.catch(() => undefined);
    const inTime = beforeDeadline(settled, ANSWER_DEADLINE_MS);
    this.#put({
      kind: 'answer',
      answer: inTime,
      takeUp: (found) => {
        if (found !== LATE) takeUp(found as T | undefined);
        else void settled.then((late) => !this.#isStopped && takeUp(late));
      },
    });
  }

  /** What waits is dropped. */
  stop(): void {
    this.#isStopped = true;
    this.#held.length = 0;
  }

  #put(entry: Entry): void {
    this.#held.push(entry);
    if (!this.#isBusy) this.#run();
  }

  /** Goes on with what is held until something must be waited for. */
  #run(): void {
    this.#isBusy = true;
    for (let entry = this.#held.shift(); entry !== undefined; entry = this.#held.shift()) {
      const waiting = this.#start(entry);
      if (waiting === undefined) continue;
      void waiting.then((resume) => {
        if (this.#isStopped) return;
        resume();
        this.#run();
      });
      return;
    }
    this.#isBusy = false;
    this.#isOverflowTold = false;
  }

  /** Undefined when the entry is through, else what comes after the wait. */
  #start(entry: Entry): Promise<() => void> | undefined {
    if (entry.kind === 'event') return this.#pass(entry.event, 0);
    if (entry.kind === 'work') {
      entry.work();
      return undefined;
    }
    return entry.answer.then((found) => () => entry.takeUp(found));
  }

  /** Takes an event through the stages from `stage` on. */
  #pass(event: WireEvent, stage: number): Promise<() => void> | undefined {
    const filters = this.#filters.get(event.name) ?? NO_FILTERS;
    for (let at = stage; at < filters.length; at += 1) {
      const filter = filters[at];
      if (filter === undefined || filter.isIdle === true || this.#late.has(filter)) continue;
      const result = filter.filter(event);
      if (result === true) {
        this.#noteTaken(event);
        return undefined;
      }
      if (result === false) continue;
      return this.#await(filter, result).then((isTaken) => {
        if (this.#isStopped) return () => {};
        if (isTaken) return () => this.#noteTaken(event);
        return this.#pass(event, at + 1) ?? (() => {});
      });
    }
    this.#deliver(event);
    return undefined;
  }

  async #await(filter: InputFilter, result: Promise<boolean>): Promise<boolean> {
    const answer = result.catch(() => false);
    const { deadlineMs = FILTER_DEADLINE_MS } = filter;
    const isTaken = await beforeDeadline(answer, deadlineMs);
    if (isTaken !== LATE) return isTaken;
    this.#warn(`${filter.name} has not answered for ${deadlineMs} ms; keys go on without it until it does`);
    this.#late.add(filter);
    void answer.then(() => this.#late.delete(filter));
    return false;
  }

  #tellOverflow(): void {
    if (!this.#isOverflowTold) this.#warn(`more than ${HELD_MAX} keys and buttons wait; the newest are dropped`);
    this.#isOverflowTold = true;
  }
}

function beforeDeadline<T>(answer: Promise<T>, deadlineMs: number): Promise<T | typeof LATE> {
  const { promise, resolve } = Promise.withResolvers<typeof LATE>();
  // After reading the sockets: if this program itself was stopped, the answer may be waiting there.
  const timer = setTimeout(() => setImmediate(() => resolve(LATE)), deadlineMs);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}
