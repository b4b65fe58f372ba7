import type { WireEvent } from 'x11';
import { messageOf } from '../../../kernel/errors.ts';
import { AdmittedPresses } from './admitted-presses.ts';

/** Events that filters see; other bound events keep their place in the same order. */
const INPUT_EVENTS = ['KeyPress', 'KeyRelease', 'ButtonPress', 'ButtonRelease', 'MotionNotify'] as const;

export type InputEventName = (typeof INPUT_EVENTS)[number];

/**
 * Sees key and button events before the translations do, such as an input method. It may answer later; later events
 * wait meanwhile.
 */
export interface InputFilter {
  /** Name in messages. */
  readonly name: string;
  /** Event types that the filter sees; all of them if undefined. */
  readonly events?: readonly InputEventName[];
  /** Whether events may skip the filter now; read before each event. */
  readonly isIdle?: boolean;
  /** Longest time that it may hold an event; the default is that of an input method. */
  readonly deadlineMs?: number;
  /** Returns true if the filter consumes the event. */
  filter(event: WireEvent): boolean | Promise<boolean>;
}

/**
 * Longest time that a filter without its own deadline may hold one event. On a busy machine a working input method may
 * take a second, and a key that goes on without it types what should have been composed.
 */
const FILTER_DEADLINE_MS = 2_000;

/** Longest time that an answer of the X server, such as a changed keyboard mapping, may hold events. */
const ANSWER_DEADLINE_MS = 10_000;

/** Most waiting entries; releases of admitted presses may exceed it. */
const HELD_MAX = 256;

const NO_FILTERS: readonly InputFilter[] = [];

type Entry =
  | { kind: 'event'; event: WireEvent }
  | { kind: 'work'; work(): void }
  /** Holds events until `answer` has arrived or is late; `takeUp` then gets it. */
  | { kind: 'answer'; answer: Promise<unknown>; takeUp(found: unknown): void };

/** Result of a filter that missed its deadline; the event passes on. */
const LATE = Symbol('late');

/**
 * Queue of input: each event passes every filter in order, and then goes to the translations. While any stage waits,
 * later events wait behind it. Otherwise an event is through before `take` returns.
 */
export class InputPipeline {
  /** Event name → the filters that see it, in order. */
  readonly #filters: ReadonlyMap<string | undefined, readonly InputFilter[]>;
  readonly #deliver: (event: WireEvent) => void;
  readonly #noteTaken: (event: WireEvent) => void;
  readonly #warn: (message: string) => void;
  readonly #held: Entry[] = [];
  readonly #presses = new AdmittedPresses();
  /** Filters that missed their deadline and still have not answered; events skip them. */
  readonly #late = new Set<InputFilter>();
  /** Filters whose first failure is logged. */
  readonly #failed = new Set<InputFilter>();
  /** An event is being handled or a stage waits: new events must queue. */
  #isBusy = false;
  #beforeNextInput: (() => void) | undefined;
  #isOverflowLogged = false;
  #isStopped = false;

  constructor(options: {
    filters: readonly InputFilter[];
    deliver: (event: WireEvent) => void;
    /** A filter has consumed the event. */
    taken?(event: WireEvent): void;
    warn(message: string): void;
  }) {
    const seeing = (name: InputEventName): InputFilter[] =>
      options.filters.filter(({ events }) => events === undefined || events.includes(name));
    this.#filters = new Map(INPUT_EVENTS.map((name) => [name, seeing(name)]));
    this.#deliver = options.deliver;
    this.#noteTaken = (event) => options.taken?.(event);
    this.#warn = (message) => options.warn(message);
  }

  take(event: WireEvent): void {
    if (this.#isStopped) return;
    if (this.#beforeNextInput !== undefined && this.#filters.has(event.name)) {
      const work = this.#beforeNextInput;
      this.#beforeNextInput = undefined;
      work();
    }
    if (!this.#isBusy) {
      this.#takeAlone(event);
      return;
    }
    const newest = this.#held.at(-1);
    // Only the last of consecutive waiting motions counts.
    if (event.name === 'MotionNotify' && newest?.kind === 'event' && newest.event.name === 'MotionNotify') {
      newest.event = event;
    } else if (this.#presses.admits(event, this.#held.length < HELD_MAX)) this.#put({ kind: 'event', event });
    else this.#logOverflow();
  }

  /**
   * Runs work after all events so far: at once if the queue is empty. The same work is queued only once behind the same
   * event.
   */
  behindEvents(work: () => void): void {
    const newest = this.#held.at(-1);
    if (this.#isStopped || (newest?.kind === 'work' && newest.work === work)) return;
    this.#put({ kind: 'work', work });
  }

  /** Sets work that runs once, when the next key or button arrives and before it is queued; undefined removes it. */
  beforeNextInput(work: (() => void) | undefined): void {
    this.#beforeNextInput = work;
  }

  /**
   * Holds later events until an answer arrives; earlier events are not held. A rejection counts as an answer. A late
   * answer no longer holds events, but `takeUp` still gets it.
   */
  holdFor<T>(answer: Promise<T>, takeUp: (answer: T | undefined) => void): void {
    // The caller has the promise too, and handles its failure.
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

  /** Drops all waiting events. */
  stop(): void {
    this.#isStopped = true;
    this.#held.length = 0;
  }

  /** Handles an event at once, because no event waits before it. */
  #takeAlone(event: WireEvent): void {
    if (!this.#presses.admits(event, true)) {
      this.#logOverflow();
      return;
    }
    this.#isBusy = true;
    this.#goOn(this.#pass(event, 0));
  }

  #put(entry: Entry): void {
    this.#held.push(entry);
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#goOn(undefined);
  }

  /**
   * Processes queued entries until one must wait.
   * @param first a wait that comes before them
   */
  #goOn(first: Promise<() => void> | undefined): void {
    for (let waiting = first; ; ) {
      if (waiting !== undefined) {
        void waiting.then((resume) => {
          if (this.#isStopped) return;
          resume();
          this.#goOn(undefined);
        });
        return;
      }
      const entry = this.#held.shift();
      if (entry === undefined) break;
      waiting = this.#start(entry);
    }
    this.#isBusy = false;
    this.#isOverflowLogged = false;
  }

  /** Starts an entry. Returns undefined if it is done, otherwise a promise of its continuation. */
  #start(entry: Entry): Promise<() => void> | undefined {
    if (entry.kind === 'event') return this.#pass(entry.event, 0);
    if (entry.kind === 'work') {
      entry.work();
      return undefined;
    }
    return entry.answer.then((found) => () => entry.takeUp(found));
  }

  /** Passes an event through the stages from `stage` on. */
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
    const answer = result.catch((error: unknown) => {
      this.#logFailure(filter, error);
      return false;
    });
    const { deadlineMs = FILTER_DEADLINE_MS } = filter;
    const isTaken = await beforeDeadline(answer, deadlineMs);
    if (isTaken !== LATE) return isTaken;
    this.#warn(`${filter.name} has not answered for ${deadlineMs} ms; keys go on without it until it does`);
    this.#late.add(filter);
    void answer.then(() => this.#late.delete(filter));
    return false;
  }

  /** Logs the first failure of a filter; the event passes on. */
  #logFailure(filter: InputFilter, error: unknown): void {
    if (!this.#failed.has(filter)) this.#warn(`${filter.name} failed (${messageOf(error)}); keys go on without it`);
    this.#failed.add(filter);
  }

  #logOverflow(): void {
    if (!this.#isOverflowLogged) this.#warn(`more than ${HELD_MAX} keys and buttons wait; the newest are dropped`);
    this.#isOverflowLogged = true;
  }
}

function beforeDeadline<T>(answer: Promise<T>, deadlineMs: number): Promise<T | typeof LATE> {
  const { promise, resolve } = Promise.withResolvers<typeof LATE>();
  // Read the sockets first: if this process itself was stopped, the answer may be waiting there.
  const timer = setTimeout(() => setImmediate(() => resolve(LATE)), deadlineMs);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}
