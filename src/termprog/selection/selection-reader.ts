import type { Property, WireEvent } from 'x11';
import type { XConnection } from '../x11/connection.ts';
import { type SelectionAtoms, STRING } from './selection-atoms.ts';
import type { ServerClock } from './server-clock.ts';
import { utf8Of, utf8OfLatin1 } from './text-forms.ts';

/** Most text that is read, in units of four bytes. */
const READ_MAX_UNITS = 1 << 20;

/** The longest time that a timer of Node takes; a longer one would be over at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

const NONE = 0;

/** What the owner is asked for now. */
interface Conversion {
  selection: number;
  target: number;
  property: number;
  /** Called with the property that holds the answer, or with `NONE` for a refusal. */
  end(answer: number | 'late'): void;
}

/** Reads selections of other programs, one at a time; ICCCM 2.4. */
export class SelectionReader {
  readonly #connection: XConnection;
  readonly #window: number;
  readonly #atoms: SelectionAtoms;
  readonly #clock: ServerClock;
  /** How long an owner may take for one answer. */
  readonly #deadlineMs: number;
  #pending: Conversion | undefined;
  #conversions = 0;

  constructor(
    connection: XConnection,
    {
      window,
      atoms,
      clock,
      deadlineMs,
    }: {
      window: number;
      atoms: SelectionAtoms;
      clock: ServerClock;
      deadlineMs: number;
    },
  ) {
    this.#connection = connection;
    this.#window = window;
    this.#atoms = atoms;
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
  }

  /** The text of a selection; undefined when it has none, or when its owner does not answer in time. */
  async read(selection: number): Promise<Uint8Array | undefined> {
    for (const target of [this.#atoms.utf8String, STRING]) {
      const answer = await this.#convert(selection, target);
      // An owner that does not answer will not answer the next question either.
      if (answer === 'late') return undefined;
      const text = answer === NONE ? undefined : await this.#takeText(answer);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  takeNotify({ selection, target, property }: Pick<WireEvent, 'selection' | 'target' | 'property'>): void {
    const pending = this.#pending;
    if (pending === undefined || selection !== pending.selection || target !== pending.target) return;
    // A refusal has no property. An answer in another one is an answer to an earlier question.
    if (property === NONE || property === pending.property) pending.end(property);
  }

  /** Nobody waits for an answer any more. */
  close(): void {
    this.#pending?.end('late');
  }

  async #convert(selection: number, target: number): Promise<number | 'late'> {
    const { promise, resolve: end } = Promise.withResolvers<number | 'late'>();
    // After reading the socket: if this program itself was stopped, the answer may be waiting there.
    const deadline = setTimeout(() => setImmediate(() => end('late')), Math.min(this.#deadlineMs, TIMER_MAX_MS));
    const conversion: Conversion = { selection, target, property: this.#nextProperty(), end };
    this.#pending = conversion;
    void this.#clock.now().then((time) => {
      if (this.#pending === conversion) this.#ask(conversion, time);
    });
    const answer = await promise;
    clearTimeout(deadline);
    this.#pending = undefined;
    return answer;
  }

  #nextProperty(): number {
    const { answers } = this.#atoms;
    const property = answers[this.#conversions % answers.length] ?? NONE;
    this.#conversions += 1;
    return property;
  }

  #ask({ selection, target, property }: Conversion, time: number): void {
    const { client } = this.#connection;
    // An answer that came too late may still be there.
    client.DeleteProperty(this.#window, property);
    client.ConvertSelection(this.#window, selection, target, property, time);
    this.#connection.flush();
  }

  /** Reads the answer and removes it, which tells the owner that it was taken. */
  async #takeText(property: number): Promise<Uint8Array | undefined> {
    const { data, type, format, bytesAfter } = await this.#connection.ask<Property>('a selection', (client, reply) =>
      client.GetProperty(1, this.#window, property, 0, 0, READ_MAX_UNITS, reply),
    );
    if (format !== 8 || bytesAfter > 0 || data.length === 0) return undefined;
    if (type === this.#atoms.utf8String) return utf8Of(data);
    return type === STRING ? utf8OfLatin1(data) : undefined;
  }
}
