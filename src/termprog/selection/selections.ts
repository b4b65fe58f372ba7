import x11, { type WireEvent } from 'x11';
import type { XConnection } from '../x11/x-connection.ts';
import { AnswerReader, TEXT_MAX_BYTES } from './answer-reader.ts';
import { CutBuffers } from './cut-buffers.ts';
import { IncrementalSender } from './incremental-sender.ts';
import { RequestSender } from './request-sender.ts';
import { internSelectionAtoms, type SelectionAtoms, SelectionNames } from './selection-atoms.ts';
import { SelectionOwner } from './selection-owner.ts';
import { SelectionReader } from './selection-reader.ts';
import { ServerClock } from './server-clock.ts';
import { utf8Of } from './text-forms.ts';

/** A place for text: a selection, by its name, or a cut buffer from 0 to 7. */
export type SelectionPlace = string | number;

/** Most waiting reads; further ones are refused. */
const READS_MAX = 64;

/** Longest delay of a Node timer; a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

const INPUT_ONLY = 2;

const EVENTS = (x11.eventMask['PropertyChange'] ?? 0) | (x11.eventMask['StructureNotify'] ?? 0);

export interface SelectionsParts {
  connection: XConnection;
  /** Registers handlers for events of a window. */
  attach(window: number, handlers: Readonly<Record<string, (event: WireEvent) => void>>): void;
  detach(window: number): void;
  /** Whether the program already has handlers for the window. */
  isAttached(window: number): boolean;
  /** Longest wait for one answer of a selection's owner. */
  deadlineMs: number;
  warn(message: string): void;
}

/** Content that a selection is to have. */
interface Due {
  text: Uint8Array | undefined;
  time: number | undefined;
}

/** The parts that are created with the first written or read text. */
interface Opened {
  atoms: SelectionAtoms;
  owner: SelectionOwner;
  reader: SelectionReader;
  transfers: IncrementalSender;
}

/** The publisher of a text that the user has selected. */
export interface TextSource {
  /** Called once, when no selection holds its text any more. */
  lost(): void;
}

/** The selections that hold the text of a source. */
interface Published {
  source: TextSource;
  names: Set<string>;
}

/**
 * The selections and cut buffers of the X server. A window of their own, which is never mapped, owns and reads them:
 * the terminal's window needs no further events.
 */
export class Selections {
  readonly #parts: SelectionsParts;
  readonly #buffers: CutBuffers;
  readonly #names: SelectionNames;
  #opening: Promise<Opened> | undefined;
  #opened: Opened | undefined;
  /** Texts for selections that were written before their owner or their atom existed. */
  readonly #early = new Map<string, Due>();
  /** The last read; reads run one after the other. */
  #lastRead: Promise<void> = Promise.resolve();
  #reads = 0;
  /** Number of reads requested so far. */
  #questions = 0;
  #published: Published | undefined;
  #isClosed = false;

  constructor(parts: SelectionsParts) {
    this.#parts = parts;
    this.#buffers = new CutBuffers(parts.connection);
    this.#names = new SelectionNames(parts.connection);
  }

  /** Puts text, as UTF-8, into all places; undefined empties them. Later reads see it. */
  write(places: readonly SelectionPlace[], bytes: Uint8Array | undefined): void {
    this.#put(places, bytes, undefined);
    for (const place of places) this.#unpublish(place);
  }

  /**
   * Puts text that the user has selected into all places.
   * @param time of the event that caused it
   */
  publish(
    places: readonly SelectionPlace[],
    bytes: Uint8Array,
    { source, time }: { source: TextSource; time: number },
  ): void {
    const names = places.filter((place) => typeof place === 'string');
    this.#put(places, bytes, time);
    const before = this.#published;
    if (before?.source === source) for (const name of names) before.names.add(name);
    else if (names.length > 0) {
      this.#published = { source, names: new Set(names) };
      before?.source.lost();
    }
  }

  /**
   * Reads the first place that has text, and passes it on once, later; undefined if there is no text. Returns false
   * when too many reads wait: this one is then answered at once with undefined.
   */
  read(places: readonly SelectionPlace[], answer: (text: Uint8Array | undefined) => void): boolean {
    if (this.#reads >= READS_MAX) {
      answer(undefined);
      return false;
    }
    this.#reads += 1;
    this.#questions += 1;
    const question = this.#questions;
    this.#lastRead = this.#lastRead.then(async () => {
      // A failure means that the connection has ended, which is reported elsewhere.
      const text = this.#isClosed ? undefined : await this.#find(places, question).catch(() => undefined);
      this.#reads -= 1;
      if (!this.#isClosed) answer(text);
    });
    return true;
  }

  /** Ends all answers. Text that other programs have not received yet is lost with the connection. */
  close(): void {
    this.#isClosed = true;
    this.#buffers.close();
    this.#opened?.reader.close();
    this.#opened?.transfers.close();
  }

  #put(places: readonly SelectionPlace[], bytes: Uint8Array | undefined, time: number | undefined): void {
    if (this.#isClosed) return;
    const text = bytes === undefined || bytes.length === 0 ? undefined : utf8Of(bytes);
    for (const place of new Set(places)) {
      if (typeof place === 'number') this.#buffers.write(place, text);
      else this.#hold(place, { text, time });
    }
  }

  /** Handles that another program has destroyed the window: the next write or read creates another one. */
  #forget(window: number): void {
    this.#parts.detach(window);
    this.#opened?.reader.close();
    this.#opened?.transfers.close();
    this.#opened = undefined;
    this.#opening = undefined;
    // The window owned all of them.
    const published = this.#published;
    this.#published = undefined;
    published?.source.lost();
  }

  #hold(name: string, due: Due): void {
    const atom = this.#names.atomOf(name);
    if (this.#opened !== undefined && typeof atom === 'number') {
      this.#opened.owner.hold(atom, due.text, due.time);
      return;
    }
    this.#early.set(name, due);
    this.#holdEarly().catch(() => {
      // The connection has ended.
    });
  }

  async #holdEarly(): Promise<void> {
    const { owner } = await this.#open();
    await Promise.all([...this.#early.keys()].map((name) => this.#names.atomOf(name)));
    for (const [name, { text, time }] of this.#early) {
      const atom = this.#names.atomOf(name);
      // A text that arrived meanwhile has its own turn.
      if (typeof atom !== 'number') continue;
      this.#early.delete(name);
      owner.hold(atom, text, time);
    }
  }

  async #find(places: readonly SelectionPlace[], question: number): Promise<Uint8Array | undefined> {
    for (const place of places) {
      const text = await (typeof place === 'number' ? this.#buffers.read(place) : this.#readSelection(place, question));
      if (text !== undefined) return text;
    }
    return undefined;
  }

  async #readSelection(name: string, question: number): Promise<Uint8Array | undefined> {
    const { owner, reader } = await this.#open();
    if (this.#early.has(name)) await this.#holdEarly();
    const selection = await this.#names.atomOf(name);
    if (owner.decides(selection)) return owner.textOf(selection);
    const text = await reader.read(selection, question, () => this.#questions);
    if (text === 'long') {
      this.#parts.warn(`the text of ${name} is not read: it has more than ${TEXT_MAX_BYTES >> 20} MiB`);
    }
    return typeof text === 'string' ? undefined : text;
  }

  #open(): Promise<Opened> {
    this.#opening ??= this.#make();
    return this.#opening;
  }

  async #make(): Promise<Opened> {
    const { connection, attach, detach, isAttached } = this.#parts;
    const deadlineMs = Math.min(this.#parts.deadlineMs, TIMER_MAX_MS);
    const atoms = await internSelectionAtoms(connection);
    const { client, screen } = connection;
    const window = client.AllocID();
    client.CreateWindow(window, screen.root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, {
      eventMask: EVENTS,
    });
    const clock = new ServerClock(connection, window, atoms.clock);
    const requests = new RequestSender(connection);
    const transfers = new IncrementalSender({ connection, requests, incr: atoms.incr, attach, detach, isAttached });
    const lost = (selection: number): void => {
      // The loss of a destroyed window's selections was already reported.
      if (this.#opened?.owner === owner) this.#takeLoss(selection);
    };
    const owner: SelectionOwner = new SelectionOwner({ connection, window, atoms, clock, requests, transfers, lost });
    const answers = new AnswerReader(connection, { window, atoms, deadlineMs, othersWait: () => this.#reads > 1 });
    const reader = new SelectionReader(connection, { window, atoms, clock, answers, deadlineMs });
    attach(window, {
      PropertyNotify: (event) => {
        clock.takePropertyChange(event);
        answers.takePropertyChange(event);
      },
      SelectionRequest: (event) => owner.takeRequest(event),
      SelectionClear: (event) => owner.takeClear(event),
      SelectionNotify: (event) => reader.takeNotify(event),
      DestroyNotify: () => this.#forget(window),
    });
    this.#opened = { atoms, owner, reader, transfers };
    return this.#opened;
  }

  #takeLoss(selection: number): void {
    for (const name of [...(this.#published?.names ?? [])]) {
      if (this.#names.atomOf(name) === selection) this.#unpublish(name);
    }
  }

  #unpublish(place: SelectionPlace): void {
    const published = this.#published;
    if (typeof place === 'number' || published?.names.delete(place) !== true || published.names.size > 0) return;
    this.#published = undefined;
    published.source.lost();
  }
}
