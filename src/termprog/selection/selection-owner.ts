import type { Property, WireEvent } from 'x11';
import type { XConnection } from '../x11/x-connection.ts';
import type { IncrementalSender } from './incremental-sender.ts';
import { propertyWrites } from './property-writer.ts';
import type { RequestSender } from './request-sender.ts';
import type { SelectionAtoms } from './selection-atoms.ts';
import type { ServerClock } from './server-clock.ts';
import { type Converted, convertText, words } from './text-targets.ts';

/** A request of another program. */
export type SelectionRequest = Pick<WireEvent, 'time' | 'owner' | 'requestor' | 'selection' | 'target' | 'property'>;

/** Content of a selection, claimed or to be claimed. */
interface Holding {
  /** Text as UTF-8; undefined if the selection is to have no owner. */
  text: Uint8Array | undefined;
  /** Server time of the last claim; undefined before the first one. */
  sinceTime: number | undefined;
  /** Whether the claim for this text was sent. */
  isClaimed: boolean;
}

export interface SelectionOwnerParts {
  connection: XConnection;
  window: number;
  atoms: SelectionAtoms;
  clock: ServerClock;
  requests: RequestSender;
  transfers: IncrementalSender;
  /** Another program became the owner. */
  lost(selection: number): void;
}

const NONE = 0;
/** Stands for the present time, also in events of other programs. A claim must not use it; ICCCM 2.1. */
const CURRENT_TIME = 0;
const REPLACE = 0;
const SELECTION_NOTIFY = 31;
const EVENT_BYTES = 32;

/** Longer texts are sent piece by piece. */
const WHOLE_MAX_BYTES = 128 * 1024;

/** Most pairs of target and property in one request. */
const PAIRS_MAX = 64;

/**
 * Most unprocessed requests. Above it, other programs get no answer: each error is matched with all waiting requests,
 * so a flood of them would take minutes.
 */
const WAITING_MAX = 256;

/**
 * Largest age difference, in milliseconds, of a request that is older than our claim. An apparently larger one means
 * that the request is newer: server times wrap after 49 days, and a text may stay selected for as long.
 */
const ON_ITS_WAY_MAX_MS = 24 * 60 * 60 * 1_000;

/** Owns selections and sends their text to programs that request it; ICCCM 2. */
export class SelectionOwner {
  readonly #parts: SelectionOwnerParts;
  readonly #held = new Map<number, Holding>();
  /** Converted long texts by target: a conversion takes a second, and a program may request it a hundred times. */
  readonly #longForms = new WeakMap<Uint8Array, Map<number, Converted>>();
  #isClaiming = false;

  constructor(parts: SelectionOwnerParts) {
    this.#parts = parts;
  }

  /** Returns the text of a selection that this program owns or is about to own; undefined for others. */
  textOf(selection: number): Uint8Array | undefined {
    return this.#held.get(selection)?.text;
  }

  /** Whether this program determines the selection's content, even that it is empty. */
  decides(selection: number): boolean {
    return this.#held.has(selection);
  }

  /**
   * Claims the selection with this text; with undefined, clears its owner.
   * @param time of the event that caused it; if undefined, the server's present time is used
   */
  hold(selection: number, text: Uint8Array | undefined, time?: number): void {
    const sinceTime = this.#held.get(selection)?.sinceTime;
    const holding: Holding = { text, sinceTime, isClaimed: false };
    this.#held.set(selection, holding);
    const hasTime = time !== undefined && time !== CURRENT_TIME;
    const claimed = hasTime ? this.#claimAt(selection, holding, time) : this.#claim();
    claimed.catch(() => {
      // The connection has ended.
    });
  }

  /** Handles the loss of a selection; an old event must not end a newer claim. */
  takeClear({ selection }: Pick<WireEvent, 'selection'>): void {
    // The connection has ended.
    this.#verify(selection).catch(() => {});
  }

  /** Answers a request, possibly by a refusal. */
  takeRequest(request: SelectionRequest): void {
    const { requests, connection, atoms } = this.#parts;
    if (requests.waiting > WAITING_MAX) return;
    const { selection, target, time, requestor } = request;
    // Older clients name no property; ICCCM 2.2.
    const property = request.property === NONE ? target : request.property;
    if (target === atoms.multiple) {
      // The list can't be read, usually because the window of the requestor is gone: a refusal is the answer.
      this.#answerPairs(request).catch(() => this.#notify(request, NONE));
      return;
    }
    const converted = this.#mayHave(selection, time) ? this.#convert(requestor, selection, target) : undefined;
    const isGiven = converted !== undefined && this.#write(requestor, property, converted);
    this.#notify(request, isGiven ? property : NONE);
    connection.flush();
  }

  /** Answers several targets in one request; a property of the reader lists them. ICCCM 2.6.2 */
  async #answerPairs(request: SelectionRequest): Promise<void> {
    const { connection, requests } = this.#parts;
    const { requestor, property, selection, time } = request;
    const { data, format } = await requests.ask<Property>('targets', (client, reply) =>
      client.GetProperty(0, requestor, property, 0, 0, 2 * PAIRS_MAX, reply),
    );
    // One request causes up to two per pair, so the limit may be exceeded by now.
    if (requests.waiting > WAITING_MAX) return;
    const isAsked = property !== NONE && format === 32 && this.#mayHave(selection, time);
    const listed = isAsked ? wordsOf(data) : [];
    for (let at = 0; at + 1 < listed.length; at += 2) {
      const [target = NONE, into = NONE] = listed.slice(at, at + 2);
      const converted = into === NONE ? undefined : this.#convert(requestor, selection, target);
      // The property of a pair that can't be served is set to None; ICCCM.
      if (converted === undefined || !this.#write(requestor, into, converted)) listed[at + 1] = NONE;
    }
    if (listed.length > 0) {
      const { atoms } = this.#parts;
      requests.send((client, done) =>
        client.ChangeProperty(REPLACE, requestor, property, atoms.atomPair, 32, words(listed), done),
      );
    }
    this.#notify(request, listed.length > 0 ? property : NONE);
    connection.flush();
  }

  /** Sends claims one after the other, so that a flood of new texts costs one claim at a time. */
  async #claim(): Promise<void> {
    if (this.#isClaiming) return;
    this.#isClaiming = true;
    try {
      for (let due = this.#unclaimed(); due.length > 0; due = this.#unclaimed()) {
        const time = await this.#parts.clock.now();
        // Further claims may be due by now.
        due = this.#unclaimed();
        await Promise.all(due.map(([selection, holding]) => this.#claimAt(selection, holding, time)));
      }
    } finally {
      this.#isClaiming = false;
    }
  }

  async #claimAt(selection: number, holding: Holding, time: number): Promise<void> {
    const { connection, window } = this.#parts;
    const owner = holding.text === undefined ? NONE : window;
    connection.client.SetSelectionOwner(owner, selection, time);
    Object.assign(holding, { sinceTime: time, isClaimed: true });
    if (owner === NONE) this.#held.delete(selection);
    await this.#verify(selection);
  }

  #unclaimed(): [selection: number, holding: Holding][] {
    return [...this.#held].filter(([, { isClaimed }]) => !isClaimed);
  }

  /** Forgets the text of a selection that another program owns; the server refuses a late claim. */
  async #verify(selection: number): Promise<void> {
    const { connection, window, lost } = this.#parts;
    const before = this.#held.get(selection);
    if (before === undefined) return;
    const answer = connection.ask<number>('the owner of a selection', (client, reply) =>
      client.GetSelectionOwner(selection, reply),
    );
    connection.flush();
    const owner = await answer;
    const isStillThat = this.#held.get(selection) === before && before.isClaimed;
    if (!isStillThat || owner === window) return;
    this.#held.delete(selection);
    lost(selection);
  }

  /** Whether the request is about a time since our claim. */
  #mayHave(selection: number, time: number): boolean {
    const since = this.#held.get(selection)?.sinceTime;
    if (since === undefined) return false;
    const olderMs = (since - time) >>> 0;
    return time === 0 || olderMs === 0 || olderMs > ON_ITS_WAY_MAX_MS;
  }

  #convert(requestor: number, selection: number, target: number): Converted | undefined {
    const { atoms, transfers } = this.#parts;
    const { text, sinceTime } = this.#held.get(selection) ?? {};
    if (text === undefined || sinceTime === undefined) return undefined;
    if (text.length <= WHOLE_MAX_BYTES) return convertText(atoms, target, { text, sinceTime });
    const forms = this.#longForms.get(text) ?? new Map<number, Converted>();
    const known = forms.get(target);
    if (known !== undefined) return known;
    const isShort = target === atoms.targets || target === atoms.timestamp || target === atoms.length;
    if (!isShort && !transfers.mayBegin(requestor)) return undefined;
    const converted = convertText(atoms, target, { text, sinceTime });
    // Texts only: other answers contain the time of a claim, and the same text may be claimed again.
    if (converted?.format === 8) this.#longForms.set(text, forms.set(target, converted));
    return converted;
  }

  /** Returns false when the answer can't be written now. */
  #write(requestor: number, property: number, converted: Converted): boolean {
    const { requests, transfers } = this.#parts;
    const { type, format, data } = converted;
    if (data.length > WHOLE_MAX_BYTES) return transfers.begin(requestor, property, converted);
    if (format === 32) {
      requests.send((client, done) => client.ChangeProperty(REPLACE, requestor, property, type, format, data, done));
    } else for (const write of propertyWrites(requestor, property, type, data)) requests.send(write);
    return true;
  }

  #notify({ requestor, selection, target, time }: SelectionRequest, property: number): void {
    const event = Buffer.alloc(EVENT_BYTES);
    event[0] = SELECTION_NOTIFY;
    [time, requestor, selection, target, property].forEach((value, index) => {
      event.writeUInt32LE(value >>> 0, 4 + 4 * index);
    });
    this.#parts.requests.send((client, done) => client.SendEvent(requestor, 0, 0, event, done));
  }
}

function wordsOf(data: Buffer): number[] {
  return Array.from({ length: Math.floor(data.length / 4) }, (_, index) => data.readUInt32LE(4 * index));
}
