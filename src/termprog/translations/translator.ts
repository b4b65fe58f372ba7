import { type ActionCall, PAUSE } from './binding.ts';
import type { EventPattern } from './event-pattern.ts';
import {
  type AtomNamed,
  type BindableKeys,
  fits,
  type InputEvent,
  type ResolvedModifiers,
  resolveModifiers,
} from './matcher.ts';
import type { Head, State, TranslationTable } from './translation-table.ts';

/** An event with its server time in milliseconds; undefined for events other than those of keys and buttons. */
export interface TimedEvent extends InputEvent {
  time: number | undefined;
  /** Whether it is motion or a modifier key, which do not end a sequence. */
  isIncidental: boolean;
}

export interface TranslatorParts {
  table: TranslationTable;
  atomNamed: AtomNamed;
  /** Longest time between two clicks of a count. */
  multiClickMs(): number;
}

/** Most cached bindings of keys and buttons with their modifiers. */
const REMEMBERED_MAX = 512;

const NOTHING: readonly ActionCall[] = [];

/**
 * Translates events to actions by a table, like the toolkit's translation manager: an event that continues the current
 * sequence belongs to it; another one ends it, and counts as a first event. Times are those of the events. It owns the
 * current sequence and caches.
 */
export class Translator {
  readonly #parts: TranslatorParts;
  #keys: BindableKeys | undefined;
  readonly #modifiers = new Map<EventPattern, ResolvedModifiers>();
  readonly #heads = new Map<number, Head | undefined>();
  /** Steps of the current sequence so far. */
  #path: State[] = [];
  #lastTime = 0;

  constructor(parts: TranslatorParts) {
    this.#parts = parts;
  }

  /**
   * Returns the actions of an event; undefined when it has no binding.
   * @param keys the keyboard at the time of the event; the same object while it does not change
   */
  translate(event: TimedEvent, keys: BindableKeys): readonly ActionCall[] | undefined {
    if (this.#keys !== keys) {
      this.#keys = keys;
      this.#modifiers.clear();
      this.#heads.clear();
    }
    if (!this.#parts.table.names(event.event)) return undefined;
    if (this.#path.length === 0) return this.#begin(event, keys);
    const state = this.#next(event, keys);
    if (state !== undefined) return this.#goOn(state, event);
    if (event.isIncidental) return undefined;
    this.#path = [];
    return this.#begin(event, keys);
  }

  #begin(event: TimedEvent, keys: BindableKeys): readonly ActionCall[] | undefined {
    const head = this.#headOf(event, keys);
    if (head === undefined) return undefined;
    if (head.calls !== undefined) this.#lastTime = event.time ?? this.#lastTime;
    if (head.sequence !== undefined) this.#push(head.sequence);
    if (head.calls !== undefined) return head.calls;
    return head.sequence === undefined ? undefined : NOTHING;
  }

  #goOn(state: State, event: TimedEvent): readonly ActionCall[] {
    this.#push(state);
    const reached = reachedBy(state);
    if (reached !== undefined && reached !== state) this.#push(reached);
    this.#lastTime = event.time ?? this.#lastTime;
    return reached?.calls ?? NOTHING;
  }

  /** Adds a state; after the end of an open count the path is cut back to its start. */
  #push(state: State): void {
    if (this.#path.at(-1)?.isCycleEnd === true) {
      const start = this.#path.findIndex(({ isCycleStart }) => isCycleStart);
      if (start >= 0) this.#path.length = start + 1;
    } else this.#path.push(state);
  }

  /**
   * Returns the state that continues the sequence: the first one with actions, otherwise the last one of the first part
   * that has one.
   */
  #next(event: TimedEvent, keys: BindableKeys): State | undefined {
    let found: State | undefined;
    for (const sequences of this.#parts.table.sequences) {
      const states = sequences.flatMap((first) => this.#behindPath(first) ?? []);
      const fitting = states.filter((state) => this.#continues(state, event, keys));
      const acting = fitting.find((state) => reachedBy(state)?.calls !== undefined);
      if (acting !== undefined) return acting;
      found ??= fitting.at(-1);
    }
    return found;
  }

  #continues(state: State, event: TimedEvent, keys: BindableKeys): boolean {
    const reached = reachedBy(state);
    return reached !== undefined && this.#fits(reached, event, keys) && (reached === state || this.#isInTime(event));
  }

  /** Returns the state of a sequence after the path; undefined when it has another path, or is over. */
  #behindPath(first: State): State | undefined {
    let state: State | undefined = first;
    for (const { step } of this.#path) {
      if (state?.step !== step) return undefined;
      state = state.next;
    }
    return state;
  }

  #isInTime({ time = this.#lastTime }: TimedEvent): boolean {
    return (time - this.#lastTime) >>> 0 <= this.#parts.multiClickMs();
  }

  #headOf(event: InputEvent, keys: BindableKeys): Head | undefined {
    const heads = this.#parts.table.heads.get(event.event) ?? [];
    const find = (): Head | undefined => heads.find(({ pattern }) => this.#patternFits(pattern, event, keys));
    if (event.event !== 'KeyPress' && event.event !== 'KeyRelease') return find();
    const key = ((event.state << 8) | event.keycode) * 2 + (event.event === 'KeyPress' ? 0 : 1);
    if (this.#heads.has(key)) return this.#heads.get(key);
    if (this.#heads.size >= REMEMBERED_MAX) this.#heads.clear();
    const head = find();
    this.#heads.set(key, head);
    return head;
  }

  #fits({ step }: State, event: InputEvent, keys: BindableKeys): boolean {
    return step !== PAUSE && this.#patternFits(step, event, keys);
  }

  #patternFits(pattern: EventPattern, event: InputEvent, keys: BindableKeys): boolean {
    if (pattern.event !== event.event) return false;
    let modifiers = this.#modifiers.get(pattern);
    if (modifiers === undefined && !this.#modifiers.has(pattern)) {
      modifiers = resolveModifiers(pattern, keys);
      this.#modifiers.set(pattern, modifiers);
    }
    return modifiers !== undefined && fits(pattern, modifiers, event, { keys, atomNamed: this.#parts.atomNamed });
  }
}

/** Skips the pause before an event that comes in time. */
function reachedBy(state: State): State | undefined {
  return state.step === PAUSE ? state.next : state;
}
