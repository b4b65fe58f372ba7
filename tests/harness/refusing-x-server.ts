import { createConnection } from 'node:net';
import { RequestCutter } from './counting-x-server.ts';
import { listen, socketOf, type UnwillingServer } from './unwilling-x-server.ts';

export interface RefusingServer extends UnwillingServer {
  /** Number of requests that were changed so that the server refuses them. */
  refused(): number;
}

/** No resource has this number, and no client may take it. RENDER does not know it as an operation either. */
const NOTHING = 0xffff_ffff;

/**
 * Stands before an X server and has it refuse requests, as a server does that is short of memory: the first word after
 * their heads becomes a number without a meaning.
 */
export async function startRefusingServer(
  display: string,
  isRefused: (request: Buffer) => boolean,
): Promise<RefusingServer> {
  let refused = 0;
  const server = await listen((client) => {
    const upstream = createConnection(socketOf(Number(display.slice(1))));
    const cutter = new RequestCutter((request, isGreeting) => {
      const passed = Buffer.from(request);
      if (!isGreeting && passed.length >= 8 && isRefused(passed)) {
        refused += 1;
        passed.writeUInt32LE(NOTHING, 4);
      }
      upstream.write(passed);
    });
    client.on('data', (bytes) => cutter.add(bytes));
    upstream.on('data', (bytes) => client.write(bytes));
    client.on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
  });
  return { ...server, refused: () => refused };
}
