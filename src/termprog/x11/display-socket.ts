import { existsSync, writeSync } from 'node:fs';
import { createConnection, type NetConnectOpts, type Socket } from 'node:net';
import { type DisplayName, NETWORK_NUMBER_MAX } from './display-name.ts';

/** Port of display 0. */
const FIRST_PORT = 6_000;

/** Most bytes of one read. */
const READ_MAX_BYTES = 65_536;

/**
 * Connects to an X server, with two short ways for what a terminal does most. All reads fill one buffer, and listeners
 * get copies of what was read: by default Node allocates and shrinks 64 KiB for each read. Bytes are written at once;
 * only what the server does not take yet passes through Node's queue, which needs as long again as the system call.
 */
export function connectSocket(display: DisplayName): Socket {
  const buffer = Buffer.allocUnsafeSlow(READ_MAX_BYTES);
  const socket: Socket = createConnection({
    ...addressOf(display),
    onread: {
      buffer,
      callback: (length) => {
        socket.emit('data', Buffer.from(buffer.subarray(0, length)));
        return true;
      },
    },
  });
  const queue: typeof socket.write = socket.write.bind(socket);
  socket.write = (bytes: Uint8Array | string, done?: unknown): boolean => {
    const written = typeof bytes === 'string' ? 0 : writeNow(socket, bytes);
    if (written < bytes.length) return queue((bytes as Uint8Array).subarray(written), done as () => void);
    (done as (() => void) | undefined)?.();
    return true;
  };
  return socket;
}

/** Writes what the server takes, unless earlier bytes wait; returns the number of bytes. */
function writeNow(socket: Socket, bytes: Uint8Array): number {
  // Node has no public way to the descriptor of a connection. Without one all bytes pass through the queue.
  const { fd = -1 } = (socket as { _handle?: { fd?: number } | null })._handle ?? {};
  if (fd < 0 || socket.connecting || socket.writableLength > 0) return 0;
  try {
    return writeSync(fd, bytes);
  } catch {
    // The server is slow, or has gone: the queue waits for it, or reports its end.
    return 0;
  }
}

/** A local display without a socket may still have a port, unless its number is too large for one. */
function addressOf({ transport, host, number }: DisplayName): NetConnectOpts {
  const path = `/tmp/.X11-unix/X${number}`;
  if (transport === 'local' && (number > NETWORK_NUMBER_MAX || existsSync(path))) return { path };
  return { port: FIRST_PORT + number, host: host === '' ? 'localhost' : host };
}
