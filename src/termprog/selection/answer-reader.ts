import type { Property, WireEvent } from 'x11';
import type { XConnection } from '../x11/x-connection.ts';
import { COMPOUND_TEXT_MAX_BYTES, utf8OfCompoundText } from './compound-text.ts';
import { OwnerPieces } from './owner-pieces.ts';
import { type SelectionAtoms, STRING } from './selection-atoms.ts';
import { utf8Of, utf8OfLatin1 } from './text-forms.ts';

/** Most of a property that one request reads, in units of four bytes. */
const PART_UNITS = 1 << 20;

/** Longest text that is read. Pasted text is held as a whole, so that its end can be marked. */
export const TEXT_MAX_BYTES = 32 * 1024 * 1024;

const NONE = 0;
const REMOVE = 1;
/** Value of `state` of PropertyNotify; X11 protocol. */
const NEW_VALUE = 0;

/** Result of a conversion: text as UTF-8, or the reason for its absence. */
export type ReadText = Uint8Array | 'none' | 'late' | 'long';

/** Reads the answers that owners put into this window's properties, whole or piece by piece; ICCCM 2.7.2. */
export class AnswerReader {
  readonly #connection: XConnection;
  readonly #window: number;
  readonly #atoms: SelectionAtoms;
  readonly #deadlineMs: number;
  /** Whether other reads wait for the end of this one. */
  readonly #othersWait: () => boolean;
  /** Property → number of new values so far. */
  readonly #values = new Map<number, number>();
  #wake: (() => void) | undefined;
  #isClosed = false;

  constructor(
    connection: XConnection,
    {
      window,
      atoms,
      deadlineMs,
      othersWait,
    }: { window: number; atoms: SelectionAtoms; deadlineMs: number; othersWait: () => boolean },
  ) {
    this.#connection = connection;
    this.#window = window;
    this.#atoms = atoms;
    this.#deadlineMs = deadlineMs;
    this.#othersWait = othersWait;
  }

  takePropertyChange({ atom, state }: Pick<WireEvent, 'atom' | 'state'>): void {
    // Other programs may change properties of any name.
    if (state !== NEW_VALUE || !this.#atoms.answers.includes(atom)) return;
    this.#values.set(atom, (this.#values.get(atom) ?? 0) + 1);
    this.#wake?.();
  }

  /** Ends the waiting for pieces. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  /** Reads the answer and deletes it, which signals the owner that it was received. */
  async read(property: number): Promise<ReadText> {
    const answer = await this.#take(property, TEXT_MAX_BYTES);
    if (answer === undefined) return 'long';
    if (answer.type !== this.#atoms.incr) return this.#textOf(answer);
    return this.#readPieces(property);
  }

  async #readPieces(property: number): Promise<ReadText> {
    const pieces = new OwnerPieces(this.#deadlineMs);
    let type = NONE;
    while (!this.#isClosed) {
      const started = performance.now();
      const seen = this.#valuesOf(property);
      const piece = await this.#take(property, TEXT_MAX_BYTES - pieces.bytes);
      if (piece === undefined || pieces.isTooMany) return 'long';
      if (piece.type === NONE) {
        // The owner has not written it yet, or has deleted it.
        const isNewer = this.#valuesOf(property) > seen;
        if (!isNewer && !(await this.#awaitValue())) return 'late';
      } else if (piece.data.length === 0) return this.#textOf({ type, format: 8, data: pieces.whole() });
      else {
        type = piece.type;
        pieces.add(piece.data);
      }
      pieces.waited(performance.now() - started);
      if (pieces.isTooSlow({ othersWait: this.#othersWait() })) return 'late';
    }
    return 'late';
  }

  #valuesOf(property: number): number {
    return this.#values.get(property) ?? 0;
  }

  /** Waits for a new value. Returns false when the deadline passes. */
  async #awaitValue(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    // Read the socket first: if this process itself was stopped, the answer may be waiting there.
    const deadline = setTimeout(() => setImmediate(() => resolve(false)), this.#deadlineMs);
    this.#wake = () => resolve(true);
    const hasCome = await promise;
    clearTimeout(deadline);
    this.#wake = undefined;
    return hasCome;
  }

  /** Reads a property's value and deletes it; undefined when it is too long. */
  async #take(property: number, maxBytes: number): Promise<Pick<Property, 'type' | 'format' | 'data'> | undefined> {
    const parts: Buffer[] = [];
    for (let offset = 0; ; offset += PART_UNITS) {
      const asked = this.#connection.ask<Property>('a selection', (client, reply) =>
        client.GetProperty(REMOVE, this.#window, property, 0, offset, PART_UNITS, reply),
      );
      this.#connection.flush();
      const { data, type, format, bytesAfter } = await asked;
      if (4 * offset + data.length + bytesAfter > maxBytes) {
        this.#connection.client.DeleteProperty(this.#window, property);
        return undefined;
      }
      parts.push(data);
      if (bytesAfter === 0) return { type, format, data: parts.length === 1 ? data : Buffer.concat(parts) };
    }
  }

  #textOf({ type, format, data }: Pick<Property, 'type' | 'format' | 'data'>): ReadText {
    const { utf8String, plainTextUtf8, compoundText } = this.#atoms;
    if (format !== 8 || data.length === 0) return 'none';
    switch (type) {
      case utf8String:
      case plainTextUtf8:
        return utf8Of(data);
      case STRING:
        return utf8OfLatin1(data);
      case compoundText:
        return data.length > COMPOUND_TEXT_MAX_BYTES ? 'none' : utf8OfCompoundText(data);
      default:
        return 'none';
    }
  }
}
