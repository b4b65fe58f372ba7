import { closeSync } from 'node:fs';
import type { Child, ChildEnd, ChildListener, PtySize } from './child.ts';
import type { Invocation } from './child-command.ts';
import { type Libc, LOST_STATUS, loadLibc } from './libc.ts';
import { parentOpenFilesLimit } from './open-files-limit.ts';
import { TerminalInput } from './terminal-input.ts';
import { TerminalOutput } from './terminal-output.ts';

export interface PtyCommand extends Invocation {
  /** Variables as `NAME=value`. */
  environment: readonly string[];
  size: PtySize;
  /** Soft limit of open files for the child; if undefined, that of the parent process. */
  openFilesLimit?: number | undefined;
}

const UNKNOWN_END: ChildEnd = { exitCode: undefined, signal: undefined };

/**
 * A child on a pseudo-terminal. It delivers every byte of the child before the end: the master is read until the kernel
 * has no more, whereas a stream that is destroyed at the child's exit would lose the rest.
 */
export class Pty implements Child {
  readonly pid: number;
  readonly input: TerminalInput;
  readonly #libc: Libc;
  readonly #master: number;
  #output: TerminalOutput | undefined;
  #listener: ChildListener | undefined;
  #status: ReturnType<Libc['poll']>;
  #isClosed = false;

  /**
   * @throws CommandUnavailableError when the program can't be started
   * @throws PtyUnavailableError when no pseudo-terminal is available
   */
  constructor({ program, argv, environment, size, openFilesLimit = parentOpenFilesLimit() }: PtyCommand) {
    const libc = loadLibc();
    const master = libc.openMaster();
    try {
      libc.setWindowSize(master, size);
      this.pid = libc.spawn({ program, slave: libc.slaveName(master), argv, environment, openFilesLimit });
    } catch (error) {
      closeSync(master);
      throw error;
    }
    this.#libc = libc;
    this.#master = master;
    this.input = new TerminalInput(
      (bytes) => libc.write(master, bytes),
      (bytes) => this.#listener?.onInputDropped?.(bytes),
    );
  }

  /**
   * Delivers output as it arrives, then the end, once: when the child has ended and its output was read, or when it
   * continues without its terminal. Other programs that have the terminal open do not delay the end.
   */
  listen(listener: ChildListener): void {
    this.#listener = listener;
    this.#output = new TerminalOutput(this.#libc, this.#master, {
      onData: (bytes, start) => listener.onData(bytes, start),
      onDrained: (state) => {
        // A child that writes has probably read, too.
        this.input.retry();
        listener.onDrained(state);
      },
      onAbandoned: () => this.#end(),
    });
    process.on('SIGCHLD', this.#takeSignal);
    // The child may have ended already.
    this.#takeSignal();
  }

  /** Sets the terminal's size; the kernel sends SIGWINCH. */
  resize(size: PtySize): void {
    if (!this.#isClosed) this.#libc.setWindowSize(this.#master, size);
  }

  catchUp(): void {
    this.#output?.catchUp();
  }

  pauseOutput(): void {
    this.#output?.pause();
  }

  resumeOutput(): void {
    this.#output?.resume();
  }

  get isEditing(): boolean {
    return !this.#isClosed && !this.#libc.isCanonical(this.#master);
  }

  get foregroundGroup(): number | undefined {
    return this.#isClosed ? undefined : this.#libc.foregroundGroup(this.#master);
  }

  /**
   * Hangs up: sends SIGHUP to the child's process group. A group of another user gets it from the kernel at `close`.
   */
  hangUp(): void {
    // The pid of an ended child may belong to another process.
    if (this.#isClosed || this.#pollStatus() !== undefined) return;
    try {
      process.kill(-this.pid, 'SIGHUP');
    } catch {
      // EPERM: the child runs as another user. ESRCH: the group is gone. Both may be ignored.
    }
  }

  /** Closes the terminal; the kernel sends SIGHUP to its foreground processes. No callback follows. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    process.off('SIGCHLD', this.#takeSignal);
    // A child that continues without its terminal must still be reaped.
    process.on('SIGCHLD', this.#reap);
    this.#reap();
    this.input.close();
    this.#output?.close();
    closeSync(this.#master);
  }

  #pollStatus(): ReturnType<Libc['poll']> {
    this.#status ??= this.#libc.poll(this.pid);
    return this.#status;
  }

  readonly #takeSignal = (): void => {
    if (this.#pollStatus() !== undefined) this.#output?.finish(() => this.#end());
  };

  readonly #reap = (): void => {
    if (this.#pollStatus() !== undefined) process.off('SIGCHLD', this.#reap);
  };

  #end(): void {
    const end = decodeStatus(this.#pollStatus());
    this.close();
    this.#listener?.onEnd(end);
  }
}

/** Decodes a status of wait(2): the low seven bits are the signal, the next byte the exit code. */
function decodeStatus(status: ReturnType<Libc['poll']>): ChildEnd {
  if (status === undefined || status === LOST_STATUS) return UNKNOWN_END;
  const signal = status & 0x7f;
  return signal === 0 ? { exitCode: (status >> 8) & 0xff, signal: undefined } : { exitCode: undefined, signal };
}
