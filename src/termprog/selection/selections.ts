import x11, { type WireEvent } from 'x11';
import type { XConnection } from '../x11/connection.ts';
import { CutBuffers } from './cut-buffers.ts';
import { internSelectionAtoms, type SelectionAtoms } from './selection-atoms.ts';
import { SelectionOwner } from './selection-owner.ts';
import { SelectionReader } from './selection-reader.ts';
import { ServerClock } from './server-clock.ts';
import { utf8Of } from './text-forms.ts';

/** Where text is kept: a selection, or a cut buffer from 0 to 7. */
export type TextPlace = SelectionName | number;

type SelectionName = keyof SelectionAtoms['selections'];

/** Questions that may wait; further ones find nothing. */
const READS_MAX = 64;

const INPUT_ONLY = 2;

const EVENTS = (x11.eventMask['PropertyChange'] ?? 0) | (x11.eventMask['StructureNotify'] ?? 0);

export interface SelectionsParts {
  connection: XConnection;
  /** Lets events of a window in. */
  attach(window: number, handlers: Readonly<Record<string, (event: WireEvent) => void>>): void;
  detach(window: number): void;
  /** How long the owner of a selection may take for one answer. */
  deadlineMs: number;
}

/** What is made when the first text is written or read. */
interface Opened {
  atoms: SelectionAtoms;
  owner: SelectionOwner;
  reader: SelectionReader;
}

/**
 * The selections and cut buffers of the X server. They are owned and read by a window of their own, which is never shown:
 * the terminal's window needs no further events.
 */
export class Selections {
  readonly #parts: SelectionsParts;
  readonly #buffers: CutBuffers;
  #opening: Promise<Opened> | undefined;
  #opened: Opened | undefined;
  /** Texts for selections that were written before there is an owner for them. */
  readonly #early = new Map<SelectionName, Uint8Array | undefined>();
  /** Reads are done one after the other. */
  #lastRead: Promise<void> = Promise.resolve();
  #reads = 0;
  #isClosed = false;

  constructor(parts: SelectionsParts) {
    this.#parts = parts;
    this.#buffers = new CutBuffers(parts.connection);
  }

  /** Puts text, as UTF-8, into all places; undefined empties them. Reads that come after it see it. */
  write(places: readonly TextPlace[], bytes: Uint8Array | undefined): void {
    if (this.#isClosed) return;
    const text = bytes === undefined || bytes.length === 0 ? undefined : utf8Of(bytes);
    for (const place of places) {
      if (typeof place === 'number') this.#buffers.write(place, text);
      else this.#hold(place, text);
    }
  }

  /** Gives the text of the first place that has one, later and once; undefined when none has. */
  read(places: readonly TextPlace[], answer: (text: Uint8Array | undefined) => void): void {
    if (this.#reads >= READS_MAX) {
      answer(undefined);
      return;
    }
    this.#reads += 1;
    this.#lastRead = this.#lastRead.then(async () => {
      // A failure means that the connection has ended, which others report.
      const text = this.#isClosed ? undefined : await this.#find(places).catch(() => undefined);
      this.#reads -= 1;
      if (!this.#isClosed) answer(text);
    });
  }

  /** Nothing is answered after this. What other programs have not taken yet is lost with the connection. */
  close(): void {
    this.#isClosed = true;
    this.#buffers.close();
    this.#opened?.reader.close();
  }

  /** Another program has destroyed the window: the next text or question makes another one. */
  #forget(window: number): void {
    this.#parts.detach(window);
    this.#opened?.reader.close();
    this.#opened = undefined;
    this.#opening = undefined;
  }

  #hold(name: SelectionName, text: Uint8Array | undefined): void {
    if (this.#opened !== undefined) {
      this.#opened.owner.hold(this.#opened.atoms.selections[name], text);
      return;
    }
    this.#early.set(name, text);
    this.#open().catch(() => {
      // The connection has ended.
    });
  }

  async #find(places: readonly TextPlace[]): Promise<Uint8Array | undefined> {
    for (const place of places) {
      const text = await (typeof place === 'number' ? this.#buffers.read(place) : this.#readSelection(place));
      if (text !== undefined) return text;
    }
    return undefined;
  }

  async #readSelection(name: SelectionName): Promise<Uint8Array | undefined> {
    const { atoms, owner, reader } = await this.#open();
    const selection = atoms.selections[name];
    return owner.decides(selection) ? owner.textOf(selection) : reader.read(selection);
  }

  #open(): Promise<Opened> {
    this.#opening ??= this.#make();
    return this.#opening;
  }

  async #make(): Promise<Opened> {
    const { connection, attach, deadlineMs } = this.#parts;
    const atoms = await internSelectionAtoms(connection);
    const { client, screen } = connection;
    const window = client.AllocID();
    client.CreateWindow(window, screen.root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, {
      eventMask: EVENTS,
    });
    const clock = new ServerClock(connection, window, atoms.clock);
    const owner = new SelectionOwner(connection, window, atoms, clock);
    const reader = new SelectionReader(connection, { window, atoms, clock, deadlineMs });
    attach(window, {
      PropertyNotify: (event) => clock.takePropertyChange(event),
      SelectionRequest: (event) => owner.takeRequest(event),
      SelectionClear: (event) => owner.takeClear(event),
      SelectionNotify: (event) => reader.takeNotify(event),
      DestroyNotify: () => this.#forget(window),
    });
    for (const [name, text] of this.#early) owner.hold(atoms.selections[name], text);
    this.#early.clear();
    this.#opened = { atoms, owner, reader };
    return this.#opened;
  }
}
