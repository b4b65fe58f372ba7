import { ReadStream } from 'node:tty';
import { type Libc, NOTHING_YET, TERMINAL_CLOSED } from './libc.ts';

/** Receives the output; either function may close the reader. */
export interface OutputTaker {
  /**
   * Takes a part of the bytes from `start` on; gives where that ends, or undefined for everything. They are valid only
   * during the call. After each part comes a look at the clock.
   */
  onData(bytes: Uint8Array, start: number): number | undefined;
  /** A turn of reading ends; `hasMore` when its share was used up, and then another turn will follow. */
  onDrained(state: { hasMore: boolean }): void;
  /** No process has had the terminal open for a while. */
  onAbandoned(): void;
}

/** Most work in one turn of the event loop. */
const SHARE_BYTES = 64 * 1024;
const SHARE_MS = 4;

const NOTHING = Buffer.alloc(0);

/** How long no process may have the terminal open. login(1), for example, closes it and opens it again. */
const CLOSED_MAX_MS = 1_000;
const CLOSED_LOOK_MS = 10;

/**
 * Bounds on reading after the child's end. First comes the child's own output, which the kernel still has (64 KiB in
 * transit and 4 KiB ready); then what other programs write meanwhile, as long as this does not delay the end.
 */
const CHILD_LEFTOVER_MAX_BYTES = 128 * 1024;
const LAST_OUTPUT_MAX_BYTES = 1024 * 1024;
const LAST_OUTPUT_MAX_MS = 150;

interface LastOutput {
  startMs: number;
  takenBytes: number;
  whenRead(): void;
}

/**
 * Reads the master of a terminal. The event loop's own stream for terminals tells when there is something and reads the
 * first piece (the kernel gives 4 KiB at most); the rest of the turn is read directly.
 */
export class TerminalOutput {
  readonly #libc: Libc;
  readonly #master: number;
  readonly #taker: OutputTaker;
  readonly #buffer = Buffer.allocUnsafeSlow(SHARE_BYTES);
  /** What was read when the time of a turn was over; the stream rests until it is delivered. */
  #undelivered = NOTHING;
  /** Undefined while no process has the terminal open, and at the end. */
  #stream: ReadStream | undefined;
  #nextTurn: NodeJS.Immediate | undefined;
  #nextLook: NodeJS.Timeout | undefined;
  #closedSinceMs = 0;
  #last: LastOutput | undefined;
  #isClosed = false;
  #isReading = false;

  /** The caller keeps the descriptor and closes it after this. */
  constructor(libc: Libc, master: number, taker: OutputTaker) {
    this.#libc = libc;
    this.#master = master;
    this.#taker = taker;
    this.#openStream();
  }

  /** Reads the rest of the ended child's output and calls `whenRead`, even if other programs keep writing. */
  finish(whenRead: () => void): void {
    if (this.#isClosed || this.#last !== undefined) return;
    this.#last = { startMs: performance.now(), takenBytes: 0, whenRead };
    this.#stopWaiting();
    this.#nextTurn = setImmediate(() => this.#takeLastTurn());
  }

  /** Delivers what can be read now, up to one turn's share; nothing while something is being delivered. */
  catchUp(): void {
    if (this.#stream !== undefined && !this.#isReading) this.#takeTurn(0);
  }

  /** Nothing is read or reported after this. */
  close(): void {
    this.#isClosed = true;
    this.#stopWaiting();
  }

  #stopWaiting(): void {
    clearImmediate(this.#nextTurn);
    this.#nextTurn = undefined;
    clearTimeout(this.#nextLook);
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.destroy();
  }

  #openStream(): void {
    const stream = new ReadStream(this.#libc.duplicate(this.#master), {
      onread: {
        buffer: this.#buffer,
        callback: (length) => {
          if (this.#stream === stream) this.#takeTurn(length);
          return true;
        },
      },
    });
    this.#stream = stream;
    // EIO is how Linux says that the last slave was closed; the stream closes itself then.
    stream.on('error', () => {});
    stream.on('close', () => {
      if (this.#stream === stream) this.#leaveStream();
    });
    stream.resume();
  }

  /** @param length bytes that are in the buffer already */
  #takeTurn(length: number): void {
    // Data came from the stream before the planned turn.
    clearImmediate(this.#nextTurn);
    this.#nextTurn = undefined;
    const { left } = this.#readShare(length);
    if (this.#isClosed) return;
    if (left === 'more') this.#nextTurn = setImmediate(() => this.#takeTurn(0));
    this.#taker.onDrained({ hasMore: left === 'more' });
    if (left === 'closed' && this.#stream !== undefined) {
      this.#stopWaiting();
      this.#closedSinceMs = performance.now();
      this.#lookLater();
    }
  }

  /** The stream ended by itself. Somebody may have opened the terminal since: that does not bring the stream back. */
  #leaveStream(): void {
    // An announced turn must still happen.
    const owesTurn = this.#nextTurn !== undefined;
    this.#stopWaiting();
    this.#closedSinceMs = performance.now();
    if (this.#look()) return;
    this.#lookLater();
    if (owesTurn) this.#taker.onDrained({ hasMore: false });
  }

  #lookLater(): void {
    this.#nextLook = setTimeout(() => {
      if (this.#look()) return;
      if (performance.now() - this.#closedSinceMs < CLOSED_MAX_MS) this.#lookLater();
      else this.#taker.onAbandoned();
    }, CLOSED_LOOK_MS);
  }

  /** Reads on if somebody has the terminal open; false when nobody does. */
  #look(): boolean {
    const length = this.#libc.read(this.#master, this.#buffer);
    if (length === TERMINAL_CLOSED) return false;
    this.#openStream();
    this.#takeTurn(length);
    return true;
  }

  #takeLastTurn(): void {
    const last = this.#last;
    if (last === undefined) return;
    const { takenBytes, left } = this.#readShare(0);
    if (this.#isClosed) return;
    last.takenBytes += takenBytes;
    const isLate = performance.now() - last.startMs >= LAST_OUTPUT_MAX_MS;
    const maxBytes = isLate ? CHILD_LEFTOVER_MAX_BYTES : LAST_OUTPUT_MAX_BYTES;
    const hasMore = left === 'more' && last.takenBytes < maxBytes;
    if (hasMore) this.#nextTurn = setImmediate(() => this.#takeLastTurn());
    this.#taker.onDrained({ hasMore });
    if (!hasMore && !this.#isClosed) last.whenRead();
  }

  /** Delivers the buffer and what can be read now, up to one turn's share. */
  #readShare(lengthInBuffer: number): { takenBytes: number; left: 'more' | 'nothing' | 'closed' } {
    this.#isReading = true;
    try {
      return this.#readUntilLate(lengthInBuffer);
    } finally {
      this.#isReading = false;
    }
  }

  #readUntilLate(lengthInBuffer: number): { takenBytes: number; left: 'more' | 'nothing' | 'closed' } {
    const endMs = performance.now() + SHARE_MS;
    let takenBytes = 0;
    for (let bytes = this.#takeUndelivered(lengthInBuffer); ; ) {
      const rest = this.#deliver(bytes, endMs);
      takenBytes += bytes.length - rest.length;
      // The descriptor's number may be in use for another file by now.
      if (this.#isClosed) return { takenBytes, left: 'closed' };
      if (takenBytes >= SHARE_BYTES || (takenBytes > 0 && performance.now() >= endMs)) {
        this.#keepUndelivered(rest);
        return { takenBytes, left: 'more' };
      }
      const length = this.#libc.read(this.#master, this.#buffer);
      if (length <= 0) {
        if (this.#stream?.isPaused() === true) this.#stream.resume();
        return { takenBytes, left: length === NOTHING_YET ? 'nothing' : 'closed' };
      }
      bytes = this.#buffer.subarray(0, length);
    }
  }

  /** Delivers bytes part by part until it is time to end; gives those that are left. */
  #deliver(bytes: Buffer, endMs: number): Buffer {
    let at = 0;
    while (at < bytes.length && !this.#isClosed) {
      at = this.#taker.onData(bytes, at) ?? bytes.length;
      if (performance.now() >= endMs) break;
    }
    return bytes.subarray(at);
  }

  /** What was left before, and what is in the buffer now. */
  #takeUndelivered(lengthInBuffer: number): Buffer {
    const inBuffer = this.#buffer.subarray(0, lengthInBuffer);
    if (this.#undelivered.length === 0) return inBuffer;
    const bytes = Buffer.concat([this.#undelivered, inBuffer]);
    this.#undelivered = NOTHING;
    return bytes;
  }

  /** The stream reads into the same buffer. */
  #keepUndelivered(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#undelivered = Buffer.from(bytes);
    this.#stream?.pause();
  }
}
