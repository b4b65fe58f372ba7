import { messageOf } from '../errors.ts';
import { type CFunction, type Koffi, loadKoffiFor } from '../native/koffi.ts';
import { poll } from '../poll.ts';

/** Longest time to retry a message while systemd does not read its socket. */
const SEND_DEADLINE_MS = 10_000;
const RETRY_MS = 50;

/** Longest status text in a line of `systemctl status`. */
const STATUS_MAX_CHARACTERS = 1_000;

/** Values of Linux on every architecture with the generic ABI. @see unix(7) */
const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const MSG_NOSIGNAL = 0x4000;
const EAGAIN = 11;
/** Layout of `struct sockaddr_un`: two bytes of family, then the path. */
const PATH_OFFSET = 2;
const PATH_MAX_BYTES = 108;

/** Notifies systemd of the state of this service; without a notify socket it has no effect. @see sd_notify(3) */
export interface ServiceManager {
  /** systemd has started this process, and starts it again when it fails. */
  readonly isThere: boolean;
  /** The service listens, or has ended a reload. */
  ready(): Promise<void>;
  /** A reload begins; `ready` ends it, also after a failure. */
  reloading(): Promise<void>;
  /** The start has to wait. @param reason shown by `systemctl status` until the service is ready */
  waiting(reason: string): Promise<void>;
  /** The service can't start. @param reason shown by `systemctl status` */
  failed(reason: string): Promise<void>;
}

/** Surroundings of a program, which its `main.ts` reads. */
export interface Surroundings {
  /** Socket for notifications of systemd; undefined or empty if systemd expects no notification. @see sd_notify(3) */
  notifySocket: string | undefined;
  /** A file of this program, near which its packages are. */
  file: string | undefined;
}

/**
 * Creates the manager for a unit of `Type=notify`.
 * @param complain gets the reason why a notification failed, with a remedy
 */
export function serviceManager(
  { notifySocket: socket, file = '' }: Surroundings,
  complain: (message: string) => void,
): ServiceManager {
  let calls: Calls | undefined;
  const isThere = socket !== undefined && socket !== '';
  const say = async (...variables: readonly string[]): Promise<void> => {
    if (!isThere) return;
    try {
      calls ??= callsFor(file);
      await send(calls, socket, variables.join('\n'));
    } catch (error) {
      complain(
        `could not say ${variables[0]} to systemd at ${socket}: ${messageOf(error)}; where this lasts, give the unit Type=exec`,
      );
    }
  };
  const status = (reason: string): Promise<void> => say(`STATUS=${inOneLine(reason)}`);
  return {
    isThere,
    ready: () => say('READY=1', 'STATUS='),
    // Node's monotonic clock is the one that systemd expects.
    reloading: () => say('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1_000n}`),
    waiting: status,
    failed: status,
  };
}

/** Functions of the C library, called by koffi. */
interface Calls {
  koffi: Koffi;
  socket: CFunction;
  sendTo: CFunction;
  close: CFunction;
}

/** Call it only once: koffi keeps some 30 KB for each declared function until the process ends. @throws Error */
function callsFor(file: string): Calls {
  const koffi = loadKoffiFor(file);
  const library = koffi.load('libc.so.6');
  return {
    koffi,
    socket: library.func('int socket(int domain, int type, int protocol)'),
    sendTo: library.func(
      'long sendto(int fd, const void *bytes, size_t length, int flags, const void *address, uint32_t size)',
    ),
    close: library.func('int close(int fd)'),
  };
}

/**
 * Sends a message by system calls: Node has no Unix datagram sockets, and systemd accepts messages only from the
 * service's own process. @throws Error
 */
async function send({ koffi, ...calls }: Calls, socket: string, message: string): Promise<void> {
  const [bytes, address] = [Buffer.from(message), addressOf(socket)];
  const descriptor = calls.socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) throw new Error(`socket: ${errorName(koffi)}`);
  /** Undefined while systemd has not read its earlier messages. */
  const attempt = (): true | undefined => {
    if (calls.sendTo(descriptor, bytes, bytes.length, MSG_NOSIGNAL, address, address.length) >= 0) return true;
    if (koffi.errno() !== EAGAIN) throw new Error(`sendto: ${errorName(koffi)}`);
    return undefined;
  };
  try {
    const isSent = await poll(attempt, { everyMs: RETRY_MS, withinMs: SEND_DEADLINE_MS });
    if (isSent === undefined) throw new Error('sendto: EAGAIN');
  } finally {
    calls.close(descriptor);
  }
}

/** A path, or with `@` a name that is in no file system. @throws Error */
function addressOf(socket: string): Buffer {
  const path = Buffer.from(socket);
  if (path.length >= PATH_MAX_BYTES) throw new Error(`its path is longer than ${PATH_MAX_BYTES - 1} bytes`);
  if (socket.startsWith('@')) path[0] = 0;
  const isAbstract = path[0] === 0;
  const address = Buffer.alloc(PATH_OFFSET + path.length + (isAbstract ? 0 : 1));
  new Uint16Array(address.buffer, address.byteOffset, 1)[0] = AF_UNIX;
  path.copy(address, PATH_OFFSET);
  return address;
}

function errorName(koffi: Koffi): string {
  const errno = koffi.errno();
  return Object.entries(koffi.os.errno).find(([, value]) => value === errno)?.[0] ?? `errno ${errno}`;
}

const inOneLine = (text: string): string =>
  text
    .trim()
    .replaceAll(/\s*\n\s*/g, '; ')
    .slice(0, STATUS_MAX_CHARACTERS);
