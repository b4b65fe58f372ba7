import { ReadStream } from 'node:tty';
import { type Libc, NOTHING_YET, TERMINAL_CLOSED } from './libc.ts';

/** Receives the output; either function may close the reader. */
export interface OutputTaker {
  /**
   * Consumes a part of the bytes from `start` on and returns its end; undefined means all bytes. They are valid only
   * during the call. The reader checks the clock after each part.
   */
  onData(bytes: Uint8Array, start: number): number | undefined;
  /** A turn of reading ends; with `hasMore` its share was used up, and another turn will follow. */
  onDrained(state: { hasMore: boolean }): void;
  /** No process has had the terminal open for a while. */
  onAbandoned(): void;
}

/** Most work in one turn of the event loop. */
const SHARE_BYTES = 64 * 1024;
const SHARE_MS = 4;

/** A shorter read ends a turn of a paused terminal: little more can have come since. */
const PAUSED_READ_BYTES = 1024;

const NOTHING = Buffer.alloc(0);

/** Longest time without a process that has the terminal open. For example, login(1) closes it and opens it again. */
const CLOSED_MAX_MS = 1_000;
const CLOSED_LOOK_MS = 10;

/**
 * Bounds on reading after the child's end. First comes the child's own output, which the kernel still has (64 KiB in
 * transit and 4 KiB ready); then output of other programs, as long as it does not delay the end.
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
 * Reads the master of a terminal. The event loop's own stream for terminals signals available bytes and reads the first
 * piece (at most 4 KiB from the kernel); the rest of the turn is read directly.
 */
export class TerminalOutput {
  readonly #libc: Libc;
  readonly #master: number;
  readonly #taker: OutputTaker;
  readonly #buffer = Buffer.allocUnsafeSlow(SHARE_BYTES);
  /** The beginning of the buffer that the last read filled. */
  #lastRead = NOTHING;
  /** Bytes that were read when a turn's time was over; the stream is paused until they are delivered. */
  #undelivered = NOTHING;
  /** Undefined while no process has the terminal open, and at the end. */
  #stream: ReadStream | undefined;
  #nextTurn: NodeJS.Immediate | undefined;
  #nextLook: NodeJS.Timeout | undefined;
  #closedSinceMs = 0;
  #last: LastOutput | undefined;
  #isClosed = false;
  #isReading = false;
  /** Whether the terminal is read only by `catchUp`. */
  #isPaused = false;

  /** Reads from `master`; the caller keeps the descriptor and closes it after `close`. */
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

  /** Delivers the bytes that are available now, up to one turn's share; has no effect during a delivery. */
  catchUp(): void {
    if (this.#stream !== undefined && !this.#isReading) this.#takeTurn(0);
  }

  /** Delivers nothing until `resume`, except by `catchUp`, which need not deliver what comes meanwhile, and `finish`. */
  pause(): void {
    this.#isPaused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#undelivered.length === 0) this.#resumeStream();
  }

  /** Ends reading; no callback follows. */
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
          // A stream that is paused as soon as it was resumed starts to read nevertheless.
          if (this.#isPaused) stream.pause();
          if (this.#stream === stream) this.#takeTurn(length);
          return true;
        },
      },
    });
    this.#stream = stream;
    // Linux reports EIO when the last slave was closed; the stream closes itself then.
    stream.on('error', () => {});
    stream.on('close', () => {
      if (this.#stream === stream) this.#leaveStream();
    });
    if (this.#isPaused) stream.pause();
    else stream.resume();
  }

  /** @param length bytes that are already in the buffer */
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

  /**
   * The stream ended by itself. Another process may have opened the terminal since, which does not revive the stream.
   */
  #leaveStream(): void {
    // An announced turn must still happen, and may have bytes to deliver.
    const owesTurn = this.#nextTurn !== undefined;
    this.#stopWaiting();
    this.#closedSinceMs = performance.now();
    if (this.#look()) return;
    this.#lookLater();
    if (owesTurn) this.#takeTurn(0);
  }

  #lookLater(): void {
    this.#nextLook = setTimeout(() => {
      if (this.#look()) return;
      if (performance.now() - this.#closedSinceMs < CLOSED_MAX_MS) this.#lookLater();
      else this.#taker.onAbandoned();
    }, CLOSED_LOOK_MS);
  }

  /** Continues reading if a process has the terminal open; returns false otherwise. */
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

  /** Delivers the buffer and the bytes that are available now, up to one turn's share. */
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
      // The descriptor's number may belong to another file by now.
      if (this.#isClosed) return { takenBytes, left: 'closed' };
      if (takenBytes >= SHARE_BYTES || (takenBytes > 0 && performance.now() >= endMs)) {
        this.#keepUndelivered(rest);
        return { takenBytes, left: 'more' };
      }
      const length = this.#readAfter(bytes.length);
      if (length <= 0) {
        this.#resumeStream();
        return { takenBytes, left: length === NOTHING_YET ? 'nothing' : 'closed' };
      }
      bytes = this.#first(length);
    }
  }

  /** Reads what is there after a read of `readBytes`. */
  #readAfter(readBytes: number): number {
    const isShort = readBytes > 0 && readBytes < PAUSED_READ_BYTES;
    if (isShort && this.#isPaused && this.#last === undefined) return NOTHING_YET;
    return this.#libc.read(this.#master, this.#buffer);
  }

  #resumeStream(): void {
    if (!this.#isPaused && this.#stream?.isPaused() === true) this.#stream.resume();
  }

  /** Delivers bytes part by part until the time is over; returns the rest. */
  #deliver(bytes: Buffer, endMs: number): Buffer {
    let at = 0;
    while (at < bytes.length && !this.#isClosed) {
      at = this.#taker.onData(bytes, at) ?? bytes.length;
      if (performance.now() >= endMs) break;
    }
    return at < bytes.length ? bytes.subarray(at) : NOTHING;
  }

  /** Returns the undelivered bytes, followed by those in the buffer. */
  #takeUndelivered(lengthInBuffer: number): Buffer {
    const inBuffer = this.#first(lengthInBuffer);
    if (this.#undelivered.length === 0) return inBuffer;
    const bytes = Buffer.concat([this.#undelivered, inBuffer]);
    this.#undelivered = NOTHING;
    return bytes;
  }

  /** Returns the beginning of the buffer. In a flood nearly all reads are equally long, and need no new object. */
  #first(length: number): Buffer {
    if (this.#lastRead.length !== length) this.#lastRead = this.#buffer.subarray(0, length);
    return this.#lastRead;
  }

  /** Copies the bytes, because the stream reads into the same buffer. */
  #keepUndelivered(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#undelivered = Buffer.from(bytes);
    this.#stream?.pause();
  }
}
