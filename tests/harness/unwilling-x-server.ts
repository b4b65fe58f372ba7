import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { systemCodeOf } from '../../src/kernel/errors.ts';

/** Displays of people and of test servers have lower numbers. */
const FIRST_DISPLAY = 400;

export interface UnwillingServer extends AsyncDisposable {
  readonly display: string;
  /** Number of clients that it has now. */
  clientCount(): number;
}

export const socketOf = (number: number): string => `/tmp/.X11-unix/X${number}`;

/** Starts a server that accepts clients and never sends a byte. */
export function startSilentServer(): Promise<UnwillingServer> {
  return listen(() => {});
}

/** Messages after the greeting have 32 bytes, and a reply says how many words of four bytes follow; X11 protocol, §1. */
const MESSAGE_BYTES = 32;
const REPLY = 1;

const greetingBytes = (bytes: Buffer): number => (bytes.length < 8 ? 8 : 8 + 4 * bytes.readUInt16LE(6));

const messageBytes = (bytes: Buffer): number =>
  MESSAGE_BYTES + (bytes.length >= MESSAGE_BYTES && bytes[0] === REPLY ? 4 * bytes.readUInt32LE(4) : 0);

/** A proxy before an X server: passes a number of whole messages to the client, then hangs up. */
export function startCuttingServer(display: string, messages: number): Promise<UnwillingServer> {
  return startBetween(display, (message, place, client) => {
    if (place < messages) client.write(message);
    else client.destroy();
  });
}

/** Stands before an X server and puts other bytes in place of a message; place 0 is the greeting. */
export function startAlteringServer(
  display: string,
  alter: (message: Buffer, place: number) => Buffer,
): Promise<UnwillingServer> {
  return startBetween(display, (message, place, client) => client.write(alter(message, place)));
}

/** The error in place of an answer; X11 protocol, appendix B: 0, the code of "Bad atom", the number of the request. */
export const badAtom = (answer: Buffer): Buffer =>
  Buffer.concat([Buffer.of(0, 5), answer.subarray(2, 4), Buffer.alloc(28)]);

/** A connection hands over its bytes in pieces that depend on the machine's load; messages are the same each time. */
function startBetween(
  display: string,
  pass: (message: Buffer, place: number, client: Socket) => void,
): Promise<UnwillingServer> {
  return listen((client) => {
    let place = 0;
    let unread: Buffer = Buffer.alloc(0);
    const upstream = createConnection(socketOf(Number(display.slice(1))));
    client.pipe(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
    upstream.on('data', (bytes: Buffer) => {
      unread = Buffer.concat([unread, bytes]);
      while (!client.destroyed) {
        const length = place === 0 ? greetingBytes(unread) : messageBytes(unread);
        if (unread.length < length) return;
        pass(unread.subarray(0, length), place, client);
        unread = unread.subarray(length);
        place += 1;
      }
    });
  });
}

/** A server on a display of its own; each client is handed over. */
export async function listen(serve: (client: Socket) => void): Promise<UnwillingServer> {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.on('error', () => {});
    client.on('close', () => clients.delete(client));
    serve(client);
  });
  const number = await listenAtFirstFree(server);
  return {
    display: `:${number}`,
    clientCount: () => clients.size,
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Other tests look for free displays at the same time. @returns the number of the display */
async function listenAtFirstFree(server: Server): Promise<number> {
  for (let number = FIRST_DISPLAY; ; number += 1) {
    if (existsSync(socketOf(number))) continue;
    server.listen(socketOf(number));
    try {
      await once(server, 'listening');
      return number;
    } catch (error) {
      if (systemCodeOf(error) !== 'EADDRINUSE') throw error;
    }
  }
}
