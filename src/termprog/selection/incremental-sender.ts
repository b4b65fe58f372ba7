import x11, { type WireEvent } from 'x11';
import { isForeignWindow } from '../x11/foreign-window.ts';
import type { XConnection } from '../x11/x-connection.ts';
import type { RequestSender } from './request-sender.ts';
import { type Converted, words } from './text-targets.ts';

/** Size of the pieces, each sent after the previous one was received. */
const PIECE_BYTES = 64 * 1024;

/** Longest wait for a reader to receive one piece. */
const PIECE_DEADLINE_MS = 60_000;

/** Most transfers in progress; each needs an entry in the table of windows. */
const TRANSFERS_MAX = 16;

const REPLACE = 0;
/** Value of `state` of PropertyNotify; X11 protocol. */
const DELETED = 1;

const READER_EVENTS = (x11.eventMask['PropertyChange'] ?? 0) | (x11.eventMask['StructureNotify'] ?? 0);

export interface IncrementalSenderParts {
  connection: XConnection;
  requests: RequestSender;
  incr: number;
  attach(window: number, handlers: Readonly<Record<string, (event: WireEvent) => void>>): void;
  detach(window: number): void;
  isAttached(window: number): boolean;
}

interface Transfer {
  property: number;
  type: number;
  data: Buffer;
  /** Bytes sent so far. */
  sent: number;
  deadline: NodeJS.Timeout;
}

/**
 * Sends long texts to readers piece by piece, as they receive them; ICCCM 2.7.2. It owns the transfers and their
 * deadlines.
 */
export class IncrementalSender {
  readonly #parts: IncrementalSenderParts;
  /** Reader's window → its transfers. */
  readonly #readers = new Map<number, Transfer[]>();

  constructor(parts: IncrementalSenderParts) {
    this.#parts = parts;
  }

  /** Whether a transfer to this window may begin. */
  mayBegin(window: number): boolean {
    return (
      isForeignWindow(this.#parts.connection, window) &&
      !this.#isWatchedByOthers(window) &&
      this.#transfers() < TRANSFERS_MAX
    );
  }

  /** Announces a transfer; returns false if there are too many. */
  begin(window: number, property: number, { type, data }: Converted): boolean {
    if (!this.mayBegin(window)) return false;
    const { requests, incr } = this.#parts;
    this.#end(window, property);
    const transfer = { property, type, data, sent: 0, deadline: this.#startDeadline(window, property) };
    const isNew = !this.#readers.has(window);
    const transfers = this.#readers.get(window) ?? [];
    transfers.push(transfer);
    this.#readers.set(window, transfers);
    if (isNew) this.#watch(window);
    const announcement = words([data.length]);
    requests.send(
      (client, done) => client.ChangeProperty(REPLACE, window, property, incr, 32, announcement, done),
      () => this.#forget(window),
    );
    return true;
  }

  /** Drops all transfers; the rest of their texts is lost. */
  close(): void {
    for (const window of [...this.#readers.keys()]) this.#forget(window);
  }

  #transfers(): number {
    return [...this.#readers.values()].reduce((sum, transfers) => sum + transfers.length, 0);
  }

  /**
   * A reader may name any window, such as the root: the end of a transfer must not remove the handlers of other parts.
   */
  #isWatchedByOthers(window: number): boolean {
    return !this.#readers.has(window) && this.#parts.isAttached(window);
  }

  #watch(window: number): void {
    this.#parts.attach(window, {
      PropertyNotify: (event) => this.#takeChange(window, event),
      DestroyNotify: () => this.#forget(window),
    });
    this.#parts.requests.send(
      (client, done) => client.ChangeWindowAttributes(window, { eventMask: READER_EVENTS }, done),
      () => this.#forget(window),
    );
  }

  #takeChange(window: number, { atom, state }: Pick<WireEvent, 'atom' | 'state'>): void {
    if (state !== DELETED) return;
    const transfer = this.#readers.get(window)?.find(({ property }) => property === atom);
    if (transfer === undefined) return;
    const { property, type, data, sent } = transfer;
    const piece = data.subarray(sent, sent + PIECE_BYTES);
    transfer.sent += piece.length;
    clearTimeout(transfer.deadline);
    this.#parts.requests.send(
      (client, done) => client.ChangeProperty(REPLACE, window, property, type, 8, piece, done),
      () => this.#forget(window),
    );
    this.#parts.connection.flush();
    // The empty piece marks the end.
    if (piece.length === 0) this.#end(window, property);
    else transfer.deadline = this.#startDeadline(window, property);
  }

  #startDeadline(window: number, property: number): NodeJS.Timeout {
    return setTimeout(() => this.#end(window, property), PIECE_DEADLINE_MS).unref();
  }

  #end(window: number, property: number): void {
    const left = (this.#readers.get(window) ?? []).filter((transfer) => {
      if (transfer.property === property) clearTimeout(transfer.deadline);
      return transfer.property !== property;
    });
    if (left.length > 0) this.#readers.set(window, left);
    else if (this.#readers.has(window)) {
      this.#forget(window);
      this.#parts.requests.send((client, done) => client.ChangeWindowAttributes(window, { eventMask: 0 }, done));
    }
  }

  #forget(window: number): void {
    for (const { deadline } of this.#readers.get(window) ?? []) clearTimeout(deadline);
    if (this.#readers.delete(window)) this.#parts.detach(window);
  }
}
