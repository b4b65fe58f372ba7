import { type ActionCall, type Binding, PAUSE, type Step } from './binding.ts';
import type { BoundEvent, EventPattern } from './event-pattern.ts';

/** A step of a binding that has several. */
export interface State {
  step: Step;
  next: State | undefined;
  /** Actions that run at this step; undefined if the sequence only continues. */
  calls: readonly ActionCall[] | undefined;
  /** The end of an open count leads back to its start. */
  isCycleStart: boolean;
  isCycleEnd: boolean;
}

/** The effect of an event outside a sequence. */
export interface Head {
  pattern: EventPattern;
  /** Undefined when the event alone has no binding. */
  calls: readonly ActionCall[] | undefined;
  /** The sequence that it begins. */
  sequence: State | undefined;
}

/**
 * Bindings in the form in which the toolkit matches them: an event belongs to the first pattern that fits, among those
 * of all steps of all lines in order, and has the effect of the first line with exactly this pattern. Therefore a line
 * with a sequence hides later lines that match its events by other patterns.
 */
export class TranslationTable {
  /** Event → heads, in order. */
  readonly heads: ReadonlyMap<BoundEvent, readonly Head[]>;
  /** First steps of the sequences of each part: of the user's lines, and of the built-in ones. */
  readonly sequences: readonly (readonly State[])[];
  readonly #patterns = new Map<string, Head>();

  /** @param parts tables in the order of lookup */
  constructor(parts: readonly (readonly Binding[])[]) {
    this.sequences = parts.map((bindings) => bindings.flatMap((binding) => this.#add(binding) ?? []));
    this.heads = Map.groupBy(this.#patterns.values(), ({ pattern }) => pattern.event);
  }

  /**
   * Whether any line names such events; other events don't end sequences. Presses and releases of buttons count as one.
   */
  names(event: BoundEvent): boolean {
    const isButton = event === 'ButtonPress' || event === 'ButtonRelease';
    return this.heads.has(event) || (isButton && (this.heads.has('ButtonPress') || this.heads.has('ButtonRelease')));
  }

  /** Adds a binding; returns its first state if it has several steps. */
  #add({ steps, repeatsFrom, calls }: Binding): State | undefined {
    const heads = steps.map((step) => (step === PAUSE ? undefined : this.#headOf(step)));
    const [first] = heads;
    if (first === undefined) return undefined;
    const isOneEvent = steps.length === 1;
    // The first event alone completes an open count of one.
    if ((isOneEvent || repeatsFrom === 0) && first.calls === undefined) first.calls = calls;
    if (isOneEvent && repeatsFrom === undefined) return undefined;
    const states = heads.map(
      (head): State => ({
        step: head?.pattern ?? PAUSE,
        next: undefined,
        calls: undefined,
        isCycleStart: false,
        isCycleEnd: false,
      }),
    );
    for (const [index, state] of states.entries()) state.next = states[index + 1];
    const last = states.at(-1);
    const start = repeatsFrom === undefined ? undefined : states[repeatsFrom];
    if (last !== undefined && start !== undefined) {
      last.next = start;
      last.isCycleEnd = true;
      start.isCycleStart = true;
    }
    const reached = start ?? last;
    if (reached !== undefined && calls.length > 0) reached.calls = calls;
    first.sequence ??= states[0];
    return states[0];
  }

  /** Returns the head of a pattern; equal patterns share one. */
  #headOf(pattern: EventPattern): Head {
    const key = keyOf(pattern);
    const known = this.#patterns.get(key);
    if (known !== undefined) return known;
    const head: Head = { pattern, calls: undefined, sequence: undefined };
    this.#patterns.set(key, head);
    return head;
  }
}

function keyOf({ event, detail, mask, held, byKeysym, isStandard, needsButton }: EventPattern): string {
  const named = byKeysym.map(({ keysyms, isHeld }) => `${isHeld ? '' : '~'}${keysyms.join('/')}`).sort();
  return [event, typeof detail, detail, mask, held, named.join(), isStandard, needsButton].join(' ');
}
