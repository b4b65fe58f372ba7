import { randomInt } from 'node:crypto';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { systemCodeOf } from '../../src/kernel/errors.ts';

/** Range below the ports of outgoing connections, so that no connection can take the port before the server does. */
const PORTS = { first: 10_240, end: 32_768 } as const;
const ATTEMPTS_MAX = 50;

const anyPort = (): number => randomInt(PORTS.first, PORTS.end);

/**
 * A TCP port of the loopback address without a listener. No other process gets it from here before this one has
 * ended: a server may take seconds until it listens, and is started again on its port.
 */
export async function freePort(choose: () => number = anyPort): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const port = choose();
    if ((await isFree(port)) && (await reserve(port))) return port;
  }
  throw new Error(`${ATTEMPTS_MAX} ports between ${PORTS.first} and ${PORTS.end} are all taken`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    return await listens(server, { port, host: '127.0.0.1' });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/**
 * Reserves a port by an abstract socket, whose name disappears with this process. Like the ports, the name belongs to a
 * network namespace; it has no file.
 */
async function reserve(port: number): Promise<boolean> {
  const server = createServer().unref();
  return listens(server, { path: `\0homeport-port-${port}` });
}

/** @returns false if another server has the address */
async function listens(server: Server, address: ListenOptions): Promise<boolean> {
  const listening = Promise.withResolvers<boolean>();
  server.once('error', (error) => {
    if (systemCodeOf(error) === 'EADDRINUSE') listening.resolve(false);
    else listening.reject(error);
  });
  server.listen(address, () => listening.resolve(true));
  return listening.promise;
}
