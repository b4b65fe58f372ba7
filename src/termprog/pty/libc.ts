import { createRequire } from 'node:module';
import { PtyUnavailableError } from '../errors.ts';

/** The C library functions a pseudo-terminal needs; koffi is loaded when this is called, not before. */
export interface Libc {
  openMaster(): number;
  slaveName(master: number): string;
  setWindowSize(master: number, size: { rows: number; columns: number; width: number; height: number }): void;
  /** `program` without a slash is looked for on this program's PATH. */
  spawn(program: string, slave: string, argv: readonly string[], environment: readonly string[]): number;
  /** Undefined while the child runs, then its wait status; wait(2). */
  poll(pid: number): number | undefined;
}

/** Values of Linux on every architecture with the generic ABI (x86-64, arm64). */
const O_RDWR = 0o2;
const O_NOCTTY = 0o400;
const O_NONBLOCK = 0o4000;
const O_CLOEXEC = 0o2000000;
const TIOCSWINSZ = 0x5414n;
const WNOHANG = 1;
const SPAWN_SETSIGDEF = 0x04;
const SPAWN_SETSIGMASK = 0x08;
const SPAWN_SETSID = 0x80;

/** Room for `posix_spawnattr_t`, `posix_spawn_file_actions_t` and `sigset_t`; glibc needs 336, 80 and 128 bytes. */
const OPAQUE_BYTES = 512;
const SLAVE_NAME_BYTES = 128;

interface KoffiLibrary {
  func(prototype: string): (...args: unknown[]) => unknown;
}
interface Koffi {
  load(library: string): KoffiLibrary;
  errno(): number;
  os: { errno: Record<string, number> };
}

/** @throws PtyUnavailableError when koffi is missing or has no part for this machine */
export function loadLibc(): Libc {
  const koffi = loadKoffi();
  const c = koffi.load('libc.so.6');
  const call = (prototype: string) => c.func(prototype) as (...args: unknown[]) => number;
  const posixOpenpt = call('int posix_openpt(int flags)');
  const grantpt = call('int grantpt(int fd)');
  const unlockpt = call('int unlockpt(int fd)');
  const ptsname = call('int ptsname_r(int fd, void *name, size_t length)');
  const ioctl = call('int ioctl(int fd, unsigned long request, void *data)');
  const waitpid = call('int waitpid(int pid, _Out_ int *status, int options)');
  const failIf = (failed: boolean, what: string): void => {
    if (failed) throw new PtyUnavailableError(`${what} failed (${errnoName(koffi, koffi.errno())})`);
  };
  return {
    openMaster: () => {
      // Non-blocking, because a pending read of a blocking master would keep the program from ending.
      const master = posixOpenpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
      failIf(master < 0, 'opening a pseudo-terminal');
      failIf(grantpt(master) !== 0 || unlockpt(master) !== 0, 'unlocking the pseudo-terminal');
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
    spawn: createSpawn(koffi, call),
    poll: (pid) => {
      const status = [0];
      return waitpid(pid, status, WNOHANG) === 0 ? undefined : (status[0] ?? 0);
    },
  };
}

function createSpawn(koffi: Koffi, call: (prototype: string) => (...args: unknown[]) => number): Libc['spawn'] {
  const actionsInit = call('int posix_spawn_file_actions_init(void *actions)');
  const actionsOpen = call(
    'int posix_spawn_file_actions_addopen(void *actions, int fd, const char *path, int flags, uint mode)',
  );
  const actionsDup = call('int posix_spawn_file_actions_adddup2(void *actions, int from, int to)');
  const actionsDestroy = call('int posix_spawn_file_actions_destroy(void *actions)');
  const attributesInit = call('int posix_spawnattr_init(void *attributes)');
  const setFlags = call('int posix_spawnattr_setflags(void *attributes, short flags)');
  const setDefaultSignals = call('int posix_spawnattr_setsigdefault(void *attributes, void *signals)');
  const setSignalMask = call('int posix_spawnattr_setsigmask(void *attributes, void *signals)');
  const attributesDestroy = call('int posix_spawnattr_destroy(void *attributes)');
  const fillSignals = call('int sigfillset(void *signals)');
  const emptySignals = call('int sigemptyset(void *signals)');
  const posixSpawn = call(
    'int posix_spawnp(_Out_ int *pid, const char *file, void *actions, void *attributes, const char **argv, const char **envp)',
  );
  return (program, slave, argv, environment) => {
    const actions = Buffer.alloc(OPAQUE_BYTES);
    const attributes = Buffer.alloc(OPAQUE_BYTES);
    const everySignal = Buffer.alloc(OPAQUE_BYTES);
    const noSignal = Buffer.alloc(OPAQUE_BYTES);
    actionsInit(actions);
    attributesInit(attributes);
    fillSignals(everySignal);
    emptySignals(noSignal);
    // Opening the slave as the leader of a new session makes it the controlling terminal.
    actionsOpen(actions, 0, slave, O_RDWR, 0);
    actionsDup(actions, 0, 1);
    actionsDup(actions, 0, 2);
    // Node ignores SIGPIPE and SIGXFSZ; a child would inherit that.
    setFlags(attributes, SPAWN_SETSID | SPAWN_SETSIGDEF | SPAWN_SETSIGMASK);
    setDefaultSignals(attributes, everySignal);
    setSignalMask(attributes, noSignal);
    const pid = [0];
    const error = posixSpawn(pid, program, actions, attributes, [...argv, null], [...environment, null]);
    actionsDestroy(actions);
    attributesDestroy(attributes);
    if (error !== 0) throw new PtyUnavailableError(`${program} can't be started (${errnoName(koffi, error)})`);
    return pid[0] ?? 0;
  };
}

function errnoName(koffi: Koffi, errno: number): string {
  return Object.entries(koffi.os.errno).find(([, value]) => value === errno)?.[0] ?? `errno ${errno}`;
}

function loadKoffi(): Koffi {
  try {
    // A bundle is a file of its own: resolved from there, not from this source file.
    const require = createRequire(typeof __filename === 'string' ? __filename : import.meta.url);
    return require('koffi') as Koffi;
  } catch (cause) {
    throw new PtyUnavailableError('the npm package koffi is missing or not built for this machine: run npm ci', {
      cause,
    });
  }
}
