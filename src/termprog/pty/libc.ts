import { PtyUnavailableError } from '../errors.ts';
import { type CFunction, type Library, loadLibrary } from './library.ts';
import { createSpawn, type SpawnRequest } from './spawn.ts';

/** Result of `read`: no bytes are available now. */
export const NOTHING_YET = 0;
/** Result of `read` and `write`: no process has the terminal open. */
export const TERMINAL_CLOSED = -1;

/** The C library functions that a pseudo-terminal needs. Those with a `master` never block. */
export interface Libc {
  openMaster(): number;
  slaveName(master: number): string;
  setWindowSize(master: number, size: { rows: number; columns: number; width: number; height: number }): void;
  /** Whether the kernel passes on whole lines and lets the user edit them before; true if the query fails. */
  isCanonical(master: number): boolean;
  /** The process group that reads keys and owns the prompt; undefined if the query fails. */
  foregroundGroup(master: number): number | undefined;
  /** Returns a second descriptor of the same terminal, which its owner may close. */
  duplicate(descriptor: number): number;
  /** Fills `buffer` from its start; returns the number of bytes, `NOTHING_YET` or `TERMINAL_CLOSED`. */
  read(master: number, buffer: Uint8Array): number;
  /** Returns the number of bytes written, which may be 0, or `TERMINAL_CLOSED`. */
  write(master: number, bytes: Uint8Array): number;
  /**
   * Starts a program and returns its pid.
   * @throws CommandUnavailableError naming the program
   */
  spawn(request: SpawnRequest): number;
  /** Undefined while the child runs, then its wait status, or `LOST_STATUS` if other code collected it; wait(2). */
  poll(pid: number): number | typeof LOST_STATUS | undefined;
}

/** The child has ended, and its status is lost. */
export const LOST_STATUS = 'lost';

/** Values of Linux on every architecture with the generic ABI (x86-64, arm64). */
const O_RDWR = 0o2;
const O_NOCTTY = 0o400;
const O_NONBLOCK = 0o4000;
const O_CLOEXEC = 0o2000000;
const F_DUPFD_CLOEXEC = 1030;
const TIOCSWINSZ = 0x5414n;
const TIOCGPGRP = 0x540fn;
const TCGETS = 0x5401n;
const TCSETS = 0x5402n;
/** Input mode in the first word of `struct termios`: erasing a character erases all its bytes. */
const IUTF8 = 0o40000;
/** Local mode, in the fourth word. */
const ICANON = 0o2;
const LOCAL_MODES = 3;
const WNOHANG = 1;
const EINTR = 4;
const EAGAIN = 11;

/** The first descriptor after the standard streams. */
const FIRST_OWN_DESCRIPTOR = 3;
const SLAVE_NAME_BYTES = 128;
/** Room for the kernel's `struct termios`, which has 36 bytes. */
const TERMIOS_BYTES = 64;

/**
 * Loads the C library once, because that takes milliseconds of a start.
 * @throws PtyUnavailableError when koffi or the C library is missing or has no build for this machine
 */
export const loadLibc: () => Libc = once(createLibc);

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function createLibc(): Libc {
  const library = loadLibrary();
  const waitpid = library.find('int waitpid(int pid, _Out_ int *status, int options)');
  return {
    ...terminalFunctions(library),
    ...transferFunctions(library),
    spawn: createSpawn(library),
    poll: (pid) => {
      const status = [0];
      const found = waitpid(pid, status, WNOHANG);
      if (found === 0) return undefined;
      return found === pid ? (status[0] ?? 0) : LOST_STATUS;
    },
  };
}

function terminalFunctions(
  library: Library,
): Pick<Libc, 'openMaster' | 'slaveName' | 'setWindowSize' | 'isCanonical' | 'foregroundGroup' | 'duplicate'> {
  const posixOpenpt = library.find('int posix_openpt(int flags)');
  const grantpt = library.find('int grantpt(int fd)');
  const unlockpt = library.find('int unlockpt(int fd)');
  const ptsname = library.find('int ptsname_r(int fd, void *name, size_t length)');
  const ioctl = library.find('int ioctl(int fd, unsigned long request, void *data)');
  const fcntl = library.find('int fcntl(int fd, int command, long argument)');
  const failIf = (failed: boolean, what: string): void => {
    if (failed) throw new PtyUnavailableError(`${what} failed (${library.errorName(library.lastError())})`);
  };
  return {
    openMaster: () => {
      // Non-blocking, because a pending read of a blocking master would keep the program from ending.
      const master = posixOpenpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
      failIf(master < 0, 'opening a pseudo-terminal');
      failIf(grantpt(master) !== 0 || unlockpt(master) !== 0, 'unlocking the pseudo-terminal');
      const termios = new Uint32Array(TERMIOS_BYTES / Uint32Array.BYTES_PER_ELEMENT);
      failIf(ioctl(master, TCGETS, termios) !== 0, 'reading the modes of the pseudo-terminal');
      termios[0] = (termios[0] ?? 0) | IUTF8;
      failIf(ioctl(master, TCSETS, termios) !== 0, 'setting the modes of the pseudo-terminal');
      return master;
    },
    slaveName: (master) => {
      const name = Buffer.alloc(SLAVE_NAME_BYTES);
      failIf(ptsname(master, name, name.length) !== 0, 'naming the pseudo-terminal');
      return name.toString('utf8', 0, name.indexOf(0));
    },
    setWindowSize: (master, { rows, columns, width, height }) => {
      const size = Buffer.from(Uint16Array.of(rows, columns, width, height).buffer);
      failIf(ioctl(master, TIOCSWINSZ, size) !== 0, 'setting the window size');
    },
    isCanonical: (master) => {
      const termios = new Uint32Array(TERMIOS_BYTES / Uint32Array.BYTES_PER_ELEMENT);
      const isKnown = ioctl(master, TCGETS, termios) === 0;
      return !isKnown || ((termios[LOCAL_MODES] ?? 0) & ICANON) !== 0;
    },
    foregroundGroup: (master) => {
      const group = new Int32Array(1);
      return ioctl(master, TIOCGPGRP, group) === 0 ? group[0] : undefined;
    },
    duplicate: (descriptor) => {
      const copy = fcntl(descriptor, F_DUPFD_CLOEXEC, FIRST_OWN_DESCRIPTOR);
      failIf(copy < 0, 'duplicating the descriptor of the pseudo-terminal');
      return copy;
    },
  };
}

/**
 * Calls the functions directly: those of node:fs create an Error with a stack for every EAGAIN, with which reading
 * usually ends.
 */
function transferFunctions(library: Library): Pick<Libc, 'read' | 'write'> {
  const read = library.find('long read(int fd, void *buffer, size_t length)');
  const write = library.find('long write(int fd, const void *bytes, size_t length)');
  const transfer = (call: CFunction, master: number, bytes: Uint8Array): number => {
    for (;;) {
      const length = call(master, bytes, bytes.length);
      if (length > 0) return length;
      // A read of 0 bytes means that the terminal was hung up.
      if (length === 0) return TERMINAL_CLOSED;
      const error = library.lastError();
      if (error !== EINTR) return error === EAGAIN ? NOTHING_YET : TERMINAL_CLOSED;
    }
  };
  return {
    read: (master, buffer) => transfer(read, master, buffer),
    write: (master, bytes) => transfer(write, master, bytes),
  };
}
