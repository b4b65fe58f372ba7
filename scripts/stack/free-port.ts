import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { systemCodeOf } from '../../src/kernel/errors.ts';

/** Below the ports of outgoing connections, so that none of these can take the port before the server does. */
const PORTS = { first: 10_240, end: 32_768 } as const;
const ATTEMPTS_MAX = 50;

/** A TCP port of the loopback address that nothing listens on now; random, so that tests at the same time get different ones. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const port = randomInt(PORTS.first, PORTS.end);
    if (await isFree(port)) return port;
  }
  throw new Error(`${ATTEMPTS_MAX} ports between ${PORTS.first} and ${PORTS.end} are all taken`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = Promise.withResolvers<boolean>();
  server.once('error', (error) => {
    if (systemCodeOf(error) === 'EADDRINUSE') listening.resolve(false);
    else listening.reject(error);
  });
  server.listen(port, '127.0.0.1', () => listening.resolve(true));
  try {
    return await listening.promise;
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
