import { lstatSync, unlinkSync } from 'node:fs';
import type { Server } from 'node:http';
import type net from 'node:net';
import { type AddressInfo, type BoundSocket, createConnection } from 'node:net';
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
  const explained = (error: unknown): string => explain(error, `${address} port ${port}`, option);
  await listening(server, boundSocket(address, port, explained) ?? { port, host: address }, explained);
  return (server.address() as AddressInfo).port;
}

/**
 * Bound already, where Node can do that, for an address in numbers. To bind one itself it loads its name service and
 * compiles a pattern for all IPv6 addresses: a tenth of the time until a small program answers.
 * @throws StartError
 */
function boundSocket(
  address: string,
  port: number,
  explained: (error: unknown) => string,
): { handle: BoundSocket } | undefined {
  // Not imported by name: older versions of Node do not have it.
  const { BoundSocket: Bound, isIPv4 } = process.getBuiltinModule('node:net') as Partial<typeof net>;
  if (Bound === undefined || isIPv4?.(address) !== true) return undefined;
  try {
    return { handle: new Bound({ host: address, port }) };
  } catch (error) {
    throw new StartError(explained(error), { cause: error });
  }
}

/**
 * Starts to listen at a Unix socket, which everybody on the machine may connect to; permissions of its directory narrow that.
 * A socket nobody listens at any more, as a killed process leaves it, is replaced.
 * @param option path of the option that named the socket, for messages
 * @throws StartError saying which option to change
 */
export async function listenUnix(server: Server, path: string, option: string): Promise<void> {
  if (await isAbandoned(path)) unlinkSync(path);
  await listening(server, { path, readableAll: true, writableAll: true }, (error) =>
    systemCodeOf(error) === 'EADDRINUSE'
      ? `${path} is in use by another program or no socket: remove it or choose another ${option}`
      : `could not listen at ${path}: ${messageOf(error)}: choose another ${option}`,
  );
}

/** Takes up a socket that listens already. @param descriptor inherited from the service manager @throws StartError */
export async function listenInherited(server: Server, descriptor: number): Promise<void> {
  await listening(
    server,
    { fd: descriptor },
    (error) => `could not use the socket systemd passed: ${messageOf(error)}`,
  );
}

async function listening(
  server: Server,
  where: Parameters<Server['listen']>[0] & object,
  explained: (error: unknown) => string,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new StartError(explained(error), { cause: error })));
    server.listen(where, resolve);
  });
}

/** Whether there is a socket that refuses connections. What is no socket refuses them too, and is not ours to remove. */
function isAbandoned(path: string): Promise<boolean> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const connection = createConnection({ path });
  connection.once('connect', () => resolve(false));
  connection.once('error', (error) => resolve(systemCodeOf(error) === 'ECONNREFUSED'));
  return promise.finally(() => connection.destroy());
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
