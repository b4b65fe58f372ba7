import { write } from 'node:fs';
import { ReadStream } from 'node:tty';
import { systemCodeOf } from '../../kernel/errors.ts';
import { type Libc, loadLibc } from './libc.ts';

export interface PtySize {
  rows: number;
  columns: number;
  /** In pixels. */
  width: number;
  height: number;
}

export interface PtyCommand {
  /** Absolute path. */
  program: string;
  argv: readonly string[];
  /** As `NAME=value`. */
  environment: readonly string[];
  size: PtySize;
}

/** How a child ended. */
export interface ChildEnd {
  exitCode: number | undefined;
  signal: number | undefined;
}

/** How much input may wait for a child that does not read it. */
const INPUT_WAITING_MAX_BYTES = 8 * 1024 * 1024;

/** How often a full pseudo-terminal is tried again, and an ended child's status is asked for. */
const RETRY_MS = 5;

/** How long a child that closed its terminal may still run before that is taken as its end. */
const STATUS_DEADLINE_MS = 1_000;

/**
 * Output a child wrote before its end is in the kernel's buffer then. It has all been read when so many looks in a row
 * found none; time alone says nothing, because a busy program may not have looked yet. Another process may go on
 * writing, so there is a bound.
 */
const QUIET_LOOKS = 10;
const DRAIN_LOOKS_MAX = 200;

/**
 * A child on a pseudo-terminal. Every byte it wrote is delivered before its end is: the master is read until the kernel
 * says there is no more, which a stream that is destroyed at the child's exit would cut short.
 */
export class Pty {
  readonly pid: number;
  readonly #libc: Libc;
  readonly #master: number;
  readonly #stream: ReadStream;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isWriting = false;
  #isClosed = false;
  #status: number | undefined;

  /** @throws PtyUnavailableError */
  constructor({ program, argv, environment, size }: PtyCommand) {
    this.#libc = loadLibc();
    this.#master = this.#libc.openMaster();
    this.#libc.setWindowSize(this.#master, size);
    this.pid = this.#libc.spawn(program, this.#libc.slaveName(this.#master), argv, environment);
    this.#stream = new ReadStream(this.#master);
  }

  /**
   * Delivers output as it comes, then the end, once: when the child has ended and what it wrote was read, whoever else
   * still has the terminal open.
   */
  listen({ onData, onEnd }: { onData(bytes: Buffer): void; onEnd(end: ChildEnd): void }): void {
    let quietLooks = 0;
    this.#stream.on('data', (bytes) => {
      quietLooks = 0;
      onData(bytes);
    });
    // EIO is how Linux says that the last slave was closed.
    this.#stream.on('error', () => {});
    const { promise: closed, resolve: markClosed } = Promise.withResolvers<void>();
    this.#stream.once('close', markClosed);
    const takeSignal = (): void => {
      this.#status ??= this.#libc.poll(this.pid);
      if (this.#status === undefined) return;
      process.off('SIGCHLD', takeSignal);
      let looks = 0;
      quietLooks = 0;
      // The event loop looks at the stream once between two rounds, however late they are.
      const drain = setInterval(() => {
        looks += 1;
        quietLooks += 1;
        if (quietLooks > QUIET_LOOKS || looks > DRAIN_LOOKS_MAX) this.#stream.destroy();
      }, RETRY_MS);
      void closed.then(() => clearInterval(drain));
    };
    process.on('SIGCHLD', takeSignal);
    // It may have ended before.
    takeSignal();
    void closed.then(() => {
      process.off('SIGCHLD', takeSignal);
      this.#isClosed = true;
      this.#reap(onEnd, STATUS_DEADLINE_MS);
    });
  }

  /** Sends input; what does not fit waits in order. Input beyond the bound is dropped. */
  write(bytes: Buffer): void {
    if (this.#isClosed || this.#waitingBytes + bytes.length > INPUT_WAITING_MAX_BYTES) return;
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (!this.#isWriting) this.#writeNext();
  }

  /** Tells the child its new size; the kernel sends SIGWINCH. */
  resize(size: PtySize): void {
    if (!this.#isClosed) this.#libc.setWindowSize(this.#master, size);
  }

  /** Hangs up: SIGHUP to the child's process group. */
  hangUp(): void {
    try {
      process.kill(-this.pid, 'SIGHUP');
    } catch (error) {
      // The group is gone already.
      if (systemCodeOf(error) !== 'ESRCH') throw error;
    }
  }

  #writeNext(): void {
    const [bytes] = this.#waiting;
    this.#isWriting = bytes !== undefined;
    if (bytes === undefined) return;
    write(this.#master, bytes, (error, written) => {
      if (this.#isClosed) return;
      if (error === null) this.#takeWritten(bytes, written);
      else if (error.code !== 'EAGAIN') this.#takeWritten(bytes, bytes.length);
      if (error?.code === 'EAGAIN') setTimeout(() => this.#writeNext(), RETRY_MS);
      else this.#writeNext();
    });
  }

  #takeWritten(bytes: Buffer, written: number): void {
    this.#waitingBytes -= written;
    if (written === bytes.length) this.#waiting.shift();
    else this.#waiting[0] = bytes.subarray(written);
  }

  #reap(onEnd: (end: ChildEnd) => void, leftMs: number): void {
    this.#status ??= this.#libc.poll(this.pid);
    const status = this.#status;
    if (status === undefined && leftMs > 0) setTimeout(() => this.#reap(onEnd, leftMs - RETRY_MS), RETRY_MS);
    else onEnd(status === undefined ? { exitCode: undefined, signal: undefined } : decodeStatus(status));
  }
}

/** wait(2): the low seven bits are the signal, the next byte the exit code. */
function decodeStatus(status: number): ChildEnd {
  const signal = status & 0x7f;
  return signal === 0 ? { exitCode: (status >> 8) & 0xff, signal: undefined } : { exitCode: undefined, signal };
}
