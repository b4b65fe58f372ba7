import type { WireEvent } from 'x11';
import type { XConnection } from '../x11/connection.ts';
import { type PreparedRequest, propertyWrites } from './property-writer.ts';
import { ATOM, INTEGER, type SelectionAtoms, STRING } from './selection-atoms.ts';
import type { ServerClock } from './server-clock.ts';
import { latin1Of } from './text-forms.ts';

/** What another program asks for. */
export type SelectionRequest = Pick<WireEvent, 'time' | 'owner' | 'requestor' | 'selection' | 'target' | 'property'>;

/** What a selection is to hold, or holds. */
interface Holding {
  /** As UTF-8; undefined where nobody is to own the selection. */
  text: Uint8Array | undefined;
  /** The server's time of the last claim that was made; undefined before the first. */
  sinceTime: number | undefined;
  /** The claim for this text was made. */
  isClaimed: boolean;
}

/** A value of a target, as a property holds it. */
interface Converted {
  type: number;
  format: 8 | 32;
  data: Buffer;
}

const NONE = 0;
const REPLACE = 0;
const SELECTION_NOTIFY = 31;
const EVENT_BYTES = 32;

/**
 * Requests to the server that it has not dealt with. While there are more, programs that ask get no answer: each error
 * that comes back is matched with all that wait, so a flood of them would take minutes.
 */
const WAITING_MAX = 256;

/** Owns selections and gives their text to programs that ask for it; ICCCM 2. */
export class SelectionOwner {
  readonly #connection: XConnection;
  readonly #window: number;
  readonly #atoms: SelectionAtoms;
  readonly #clock: ServerClock;
  readonly #held = new Map<number, Holding>();
  #isClaiming = false;
  #waiting = 0;

  constructor(connection: XConnection, window: number, atoms: SelectionAtoms, clock: ServerClock) {
    this.#connection = connection;
    this.#window = window;
    this.#atoms = atoms;
    this.#clock = clock;
  }

  /** The text of a selection that is ours, or is about to be; undefined for others. */
  textOf(selection: number): Uint8Array | undefined {
    return this.#held.get(selection)?.text;
  }

  /** Whether what the selection holds was decided here, even that it is empty. */
  decides(selection: number): boolean {
    return this.#held.has(selection);
  }

  /** Becomes the owner with this text; with undefined, nobody is the owner from now on. */
  hold(selection: number, text: Uint8Array | undefined): void {
    const sinceTime = this.#held.get(selection)?.sinceTime;
    this.#held.set(selection, { text, sinceTime, isClaimed: false });
    this.#claim().catch(() => {
      // The connection has ended.
    });
  }

  /** Another program became the owner; an old event must not end a newer claim. */
  takeClear({ selection }: Pick<WireEvent, 'selection'>): void {
    this.#verify(selection).catch(() => {});
  }

  /** Answers a request, also by a refusal. */
  takeRequest(request: SelectionRequest): void {
    if (this.#waiting > WAITING_MAX) return;
    const { selection, target, time } = request;
    // Older clients name no property; ICCCM 2.2.
    const property = request.property === NONE ? target : request.property;
    const converted = this.#mayHave(selection, time) ? this.#convert(selection, target) : undefined;
    if (converted !== undefined) this.#write(request.requestor, property, converted);
    this.#notify(request, converted === undefined ? NONE : property);
    this.#connection.flush();
  }

  /** Claims one after the other, so that a flood of new texts costs one claim at a time. */
  async #claim(): Promise<void> {
    if (this.#isClaiming) return;
    this.#isClaiming = true;
    try {
      for (let due = this.#unclaimed(); due.length > 0; due = this.#unclaimed()) {
        const time = await this.#clock.now();
        // There may be more by now.
        due = this.#unclaimed();
        for (const [selection, holding] of due) {
          const owner = holding.text === undefined ? NONE : this.#window;
          this.#connection.client.SetSelectionOwner(owner, selection, time);
          Object.assign(holding, { sinceTime: time, isClaimed: true });
          if (owner === NONE) this.#held.delete(selection);
        }
        await Promise.all(due.map(([selection]) => this.#verify(selection)));
      }
    } finally {
      this.#isClaiming = false;
    }
  }

  #unclaimed(): [selection: number, holding: Holding][] {
    return [...this.#held].filter(([, { isClaimed }]) => !isClaimed);
  }

  /** Forgets the text of a selection that is not ours; the server refuses a claim that came too late. */
  async #verify(selection: number): Promise<void> {
    const before = this.#held.get(selection);
    if (before === undefined) return;
    const answer = this.#connection.ask<number>('the owner of a selection', (client, reply) =>
      client.GetSelectionOwner(selection, reply),
    );
    this.#connection.flush();
    const owner = await answer;
    const isStillThat = this.#held.get(selection) === before && before.isClaimed;
    if (isStillThat && owner !== this.#window) this.#held.delete(selection);
  }

  /** A request may be about a time before ours. */
  #mayHave(selection: number, time: number): boolean {
    const since = this.#held.get(selection)?.sinceTime;
    // Times wrap after 49 days.
    return since !== undefined && (time === 0 || ((time - since) | 0) >= 0);
  }

  #convert(selection: number, target: number): Converted | undefined {
    const { targets, timestamp, utf8String } = this.#atoms;
    const { text, sinceTime } = this.#held.get(selection) ?? {};
    if (text === undefined || sinceTime === undefined) return undefined;
    switch (target) {
      case targets:
        return { type: ATOM, format: 32, data: words([targets, timestamp, utf8String, STRING]) };
      case timestamp:
        return { type: INTEGER, format: 32, data: words([sinceTime]) };
      case utf8String:
        return { type: utf8String, format: 8, data: Buffer.from(text) };
      case STRING:
        return { type: STRING, format: 8, data: latin1Of(text) };
      default:
        return undefined;
    }
  }

  #write(requestor: number, property: number, { type, format, data }: Converted): void {
    if (format === 32) {
      this.#attempt((client, done) => client.ChangeProperty(REPLACE, requestor, property, type, format, data, done));
    } else for (const write of propertyWrites(requestor, property, type, data)) this.#attempt(write);
  }

  #notify({ requestor, selection, target, time }: SelectionRequest, property: number): void {
    const event = Buffer.alloc(EVENT_BYTES);
    event[0] = SELECTION_NOTIFY;
    [time, requestor, selection, target, property].forEach((value, index) => {
      event.writeUInt32LE(value >>> 0, 4 + 4 * index);
    });
    this.#attempt((client, done) => client.SendEvent(requestor, 0, 0, event, done));
  }

  /** A program that asked may be gone by now: the error of this request is of no interest. */
  #attempt(request: PreparedRequest): void {
    this.#waiting += 1;
    this.#connection
      .ask<void>('room for a selection', (client, reply) => request(client, (error) => reply(error, undefined)))
      .catch(() => {})
      .finally(() => {
        this.#waiting -= 1;
      });
  }
}

function words(values: number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer);
}
