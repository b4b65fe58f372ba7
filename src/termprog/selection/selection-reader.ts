import type { WireEvent } from 'x11';
import type { XConnection } from '../x11/x-connection.ts';
import type { AnswerReader, ReadText } from './answer-reader.ts';
import { type SelectionAtoms, STRING } from './selection-atoms.ts';
import type { ServerClock } from './server-clock.ts';

const NONE = 0;

/** The conversion that is awaited now. */
interface Conversion {
  selection: number;
  target: number;
  property: number;
  /** Called with the property that holds the answer, or with `NONE` for a refusal. */
  end(answer: number | 'late'): void;
}

/**
 * Reads selections of other programs, one at a time; ICCCM 2.4. It owns the pending conversion, and remembers silent
 * owners.
 */
export class SelectionReader {
  readonly #connection: XConnection;
  readonly #window: number;
  readonly #atoms: SelectionAtoms;
  readonly #clock: ServerClock;
  /** Longest wait for one answer of an owner. */
  readonly #deadlineMs: number;
  readonly #answers: AnswerReader;
  #pending: Conversion | undefined;
  #conversions = 0;
  /** Selection → owner that did not answer, and the last read that was requested by then. */
  readonly #silent = new Map<number, { owner: number; question: number }>();

  constructor(
    connection: XConnection,
    {
      window,
      atoms,
      clock,
      answers,
      deadlineMs,
    }: {
      window: number;
      atoms: SelectionAtoms;
      clock: ServerClock;
      answers: AnswerReader;
      deadlineMs: number;
    },
  ) {
    this.#connection = connection;
    this.#window = window;
    this.#atoms = atoms;
    this.#clock = clock;
    this.#answers = answers;
    this.#deadlineMs = deadlineMs;
  }

  /**
   * Returns the text of a selection, or the reason for its absence. Reads that were requested while a silent owner was
   * awaited do not ask it again.
   * @param question number of the read; reads run one after the other
   * @param latest returns the number of the last requested read
   */
  async read(selection: number, question: number, latest: () => number): Promise<ReadText> {
    const silent = this.#silent.get(selection);
    if (silent !== undefined && question <= silent.question && (await this.#ownerOf(selection)) === silent.owner) {
      return 'late';
    }
    // Queried first, because another owner may replace this one meanwhile.
    const owner = this.#ownerOf(selection).catch(() => NONE);
    const text = await this.#read(selection);
    if (text === 'late') this.#silent.set(selection, { question: latest(), owner: await owner });
    else this.#silent.delete(selection);
    return text;
  }

  async #read(selection: number): Promise<ReadText> {
    for (const target of [this.#atoms.utf8String, this.#atoms.compoundText, STRING]) {
      const answer = await this.#convert(selection, target);
      // An owner that does not answer will not answer the next conversion either.
      if (answer === 'late') return 'late';
      const text = answer === NONE ? 'none' : await this.#answers.read(answer);
      if (text !== 'none') return text;
    }
    return 'none';
  }

  #ownerOf(selection: number): Promise<number> {
    const asked = this.#connection.ask<number>('the owner of a selection', (client, reply) =>
      client.GetSelectionOwner(selection, reply),
    );
    this.#connection.flush();
    return asked;
  }

  takeNotify({ selection, target, property }: Pick<WireEvent, 'selection' | 'target' | 'property'>): void {
    const pending = this.#pending;
    if (pending === undefined || selection !== pending.selection || target !== pending.target) return;
    // A refusal has no property. An answer in another property belongs to an earlier conversion.
    if (property === NONE || property === pending.property) pending.end(property);
  }

  /** Ends the waiting for an answer. */
  close(): void {
    this.#pending?.end('late');
    this.#answers.close();
  }

  async #convert(selection: number, target: number): Promise<number | 'late'> {
    const { promise, resolve: end } = Promise.withResolvers<number | 'late'>();
    // Read the socket first: if this process itself was stopped, the answer may be waiting there.
    const deadline = setTimeout(() => setImmediate(() => end('late')), this.#deadlineMs);
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
    // A late answer may still be there.
    client.DeleteProperty(this.#window, property);
    client.ConvertSelection(this.#window, selection, target, property, time);
    this.#connection.flush();
  }
}
