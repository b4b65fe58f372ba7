import { type AddressInfo, createServer, type Socket } from 'node:net';
import x11 from 'x11';
import { connectToDisplay } from '../../../../src/termprog/x11/open-display.ts';
import type { XConnection } from '../../../../src/termprog/x11/x-connection.ts';

/** Displays are ports counted from this one. */
const FIRST_X_PORT = 6000;

/** The X server that the library brings along, on a port of its own. */
export interface LibraryServer extends AsyncDisposable {
  readonly displayName: string;
  /** The ends of its connections, in order. */
  readonly sockets: readonly Socket[];
  connect(): Promise<XConnection>;
}

export async function startLibraryServer(): Promise<LibraryServer> {
  const server = x11.createServer({ width: 640, height: 480 });
  const sockets: Socket[] = [];
  const listener = createServer((socket) => {
    sockets.push(socket);
    server.addClientStream(socket);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const displayName = `127.0.0.1:${(listener.address() as AddressInfo).port - FIRST_X_PORT}`;
  return {
    displayName,
    sockets,
    connect: () => connectToDisplay({ displayName, hostName: 'host', authorityFile: undefined }),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

/**
 * Changes what a server says to its first client from now on, piece by piece: one answer each, as long as one question
 * is asked at a time.
 * @returns what ends it
 */
export function alterAnswers({ sockets }: LibraryServer, alter: (answer: Buffer) => void): () => void {
  const [socket] = sockets;
  if (socket === undefined) throw new Error('the server has no client yet');
  const { write } = socket;
  socket.write = ((bytes: Uint8Array, ...rest: never[]) => {
    const altered = Buffer.from(bytes);
    alter(altered);
    return write.call(socket, altered, ...rest);
  }) as typeof write;
  return () => {
    socket.write = write;
  };
}
