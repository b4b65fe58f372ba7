import { NOTHING_YET, TERMINAL_CLOSED } from './libc.ts';

/** Most bytes that wait for a child that does not read. */
const WAITING_MAX_BYTES = 8 * 1024 * 1024;

/** Most bytes of long texts that may wait in addition. */
const WHOLE_MAX_BYTES = 64 * 1024 * 1024;

/** Size of the blocks of waiting bytes, so that many small writes cost no more than a large one. */
const BLOCK_BYTES = 64 * 1024;

/** Size of one write call: as much as the kernel passes on at once. */
const PIECE_BYTES = 4 * 1024;
/** Most bytes sent in one turn of the event loop. */
const SHARE_BYTES = 64 * 1024;

/** Wait before a full terminal is tried again; doubled after each failed try. */
const RETRY_MIN_MS = 1;
const RETRY_MAX_MS = 512;

/** A part of the queue: the bytes from `start` to `end`; there is room after them. */
interface Block {
  readonly bytes: Uint8Array;
  start: number;
  end: number;
  /** Whether it is a caller's long text, to which no bytes are appended. */
  readonly isWhole: boolean;
}

/** Queues input for a terminal, which accepts only as much as it has room for: in order, bounded, without blocking. */
export class TerminalInput {
  /** Returns the number of bytes sent, `NOTHING_YET` or `TERMINAL_CLOSED`. */
  readonly #send: (bytes: Uint8Array) => number;
  readonly #onDropped: (bytes: number) => void;
  #blocks: Block[] = [];
  #waitingBytes = 0;
  /** The waiting bytes of long texts. */
  #wholeBytes = 0;
  #retryMs = RETRY_MIN_MS;
  #nextTry: NodeJS.Timeout | undefined;
  #nextTurn: NodeJS.Immediate | undefined;
  #hasLoggedDropping = false;
  #isClosed = false;

  constructor(send: (bytes: Uint8Array) => number, onDropped: (bytes: number) => void) {
    this.#send = send;
    this.#onDropped = onDropped;
  }

  /** Sends the bytes; those without room wait. When the queue is full, the whole call's bytes are dropped. */
  write(bytes: Uint8Array): void {
    if (this.#isClosed || bytes.length === 0) return;
    if (this.#waitingBytes - this.#wholeBytes + bytes.length > WAITING_MAX_BYTES) {
      this.#logDropped(bytes.length);
      return;
    }
    const sent = this.#waitingBytes === 0 ? this.#sendSome(bytes, SHARE_BYTES) : 0;
    if (sent === TERMINAL_CLOSED || sent === bytes.length) return;
    this.#keep(bytes.subarray(sent));
    this.#planNext(sent);
  }

  /**
   * Sends a long text in order with other input and without a copy: its bytes must not change from now on. It is
   * dropped when the waiting long texts exceed their limit.
   */
  writeWhole(bytes: Uint8Array): void {
    if (this.#isClosed || bytes.length === 0) return;
    if (this.#wholeBytes + bytes.length > WHOLE_MAX_BYTES) {
      this.#logDropped(bytes.length);
      return;
    }
    const isFirst = this.#waitingBytes === 0;
    this.#blocks.push({ bytes, start: 0, end: bytes.length, isWhole: true });
    this.#waitingBytes += bytes.length;
    this.#wholeBytes += bytes.length;
    if (isFirst) this.#sendWaiting();
  }

  /** Tries again at once, because there may be room. */
  retry(): void {
    if (this.#nextTry !== undefined) this.#sendWaiting();
  }

  /** Drops the queue; no bytes are sent after this. */
  close(): void {
    this.#isClosed = true;
    this.#forgetWaiting();
  }

  /** Reports dropped input: once, and again only after the queue was empty. */
  #logDropped(bytes: number): void {
    if (this.#hasLoggedDropping) return;
    this.#hasLoggedDropping = this.#waitingBytes > 0;
    this.#onDropped(bytes);
  }

  #forgetWaiting(): void {
    clearTimeout(this.#nextTry);
    clearImmediate(this.#nextTurn);
    this.#nextTry = undefined;
    this.#nextTurn = undefined;
    this.#blocks = [];
    this.#waitingBytes = 0;
    this.#wholeBytes = 0;
    this.#retryMs = RETRY_MIN_MS;
    this.#hasLoggedDropping = false;
  }

  /** Returns the number of bytes sent, at most about `maxBytes`, or `TERMINAL_CLOSED`. */
  #sendSome(bytes: Uint8Array, maxBytes: number): number {
    let sent = 0;
    while (sent < bytes.length && sent < maxBytes) {
      const taken = this.#send(bytes.subarray(sent, sent + PIECE_BYTES));
      if (taken === TERMINAL_CLOSED) return TERMINAL_CLOSED;
      if (taken === NOTHING_YET) break;
      sent += taken;
    }
    return sent;
  }

  #sendWaiting(): void {
    clearTimeout(this.#nextTry);
    this.#nextTry = undefined;
    let sent = 0;
    for (let block = this.#blocks[0]; block !== undefined && sent < SHARE_BYTES; block = this.#blocks[0]) {
      const waiting = block.end - block.start;
      const taken = this.#sendSome(block.bytes.subarray(block.start, block.end), SHARE_BYTES - sent);
      if (taken === TERMINAL_CLOSED) {
        this.#forgetWaiting();
        return;
      }
      sent += taken;
      block.start += taken;
      this.#waitingBytes -= taken;
      if (block.isWhole) this.#wholeBytes -= taken;
      if (taken < waiting) break;
      this.#blocks.shift();
    }
    if (this.#waitingBytes === 0) this.#forgetWaiting();
    else this.#planNext(sent);
  }

  /**
   * Plans the next try: after a whole share in the next turn of the event loop, otherwise when the child may have made
   * room.
   */
  #planNext(sent: number): void {
    if (this.#nextTry !== undefined || this.#nextTurn !== undefined) return;
    if (sent >= SHARE_BYTES) {
      this.#nextTurn = setImmediate(() => {
        this.#nextTurn = undefined;
        this.#sendWaiting();
      });
      return;
    }
    if (sent > 0) this.#retryMs = RETRY_MIN_MS;
    this.#nextTry = setTimeout(() => this.#sendWaiting(), this.#retryMs);
    this.#retryMs = Math.min(RETRY_MAX_MS, this.#retryMs * 2);
  }

  /** Copies bytes into the queue, because the caller may reuse its buffer. */
  #keep(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      let block = this.#blocks.at(-1);
      if (block === undefined || block.isWhole || block.end === BLOCK_BYTES) {
        block = { bytes: Buffer.allocUnsafeSlow(BLOCK_BYTES), start: 0, end: 0, isWhole: false };
        this.#blocks.push(block);
      }
      const part = bytes.subarray(at, at + BLOCK_BYTES - block.end);
      block.bytes.set(part, block.end);
      block.end += part.length;
      at += part.length;
    }
    this.#waitingBytes += bytes.length;
  }
}
