import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf, StartError, systemCodeOf } from '../errors.ts';

/** Where to listen; port 0 takes any free one. */
export interface ListenOptions {
  address: string;
  port: number;
}

/**
 * Starts to listen and returns the port in use.
 * @param option path of the option that named the address, for messages
 * @throws StartError saying which option to change
 */
export async function listen(server: Server, { address, port }: ListenOptions, option: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new StartError(explain(error, `${address} port ${port}`, option), { cause: error })),
    );
    server.listen(port, address, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function explain(error: unknown, where: string, option: string): string {
  switch (systemCodeOf(error)) {
    case 'EADDRINUSE':
      return `${where} is in use by another program: stop it or choose another ${option}.port`;
    case 'EACCES':
      return `no permission to listen on ${where}: choose a ${option}.port above 1023`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${where} is not an address of this machine: set ${option}.address to one that is`;
    default:
      return `could not listen on ${where}: ${messageOf(error)}`;
  }
}

/** Stops accepting, lets requests under way finish until the deadline, then ends their connections. */
export async function closeServer(server: Server, deadlineMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}
