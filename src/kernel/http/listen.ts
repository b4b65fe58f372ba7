import { lstatSync, unlinkSync } from 'node:fs';
import type { Server } from 'node:http';
import type net from 'node:net';
import { type AddressInfo, type BoundSocket, createConnection, type Server as NetServer } from 'node:net';
import { systemClock } from '../clock.ts';
import { messageOf, StartError, systemCodeOf } from '../errors.ts';
import type { Logger } from '../logger.ts';

/** Shortest time between two log lines of a listener that keeps failing. */
const ERROR_LOG_INTERVAL_MS = 60_000;

/** Time that a connection stays open after its last answer while the server closes; 0 would mean for ever. */
const CLOSING_KEEP_ALIVE_MS = 1;

/** Address to listen on; port 0 takes any free port. */
export interface ListenOptions {
  address: string;
  port: number;
}

/** The option that named a listener, and the log for its errors. */
export interface ListenerParts {
  /** Path of the option that named the place. */
  option: string;
  /** Gets errors of a server that listens already; they do not end it. */
  log: Logger;
}

/** An address of which the port is taken, while connections to it are still refused. */
export interface ReservedAddress {
  handle: BoundSocket;
}

/** Starts to listen and returns the port in use. @throws StartError saying which option to change */
export async function listen(
  server: Server,
  { address, port }: ListenOptions,
  {
    option,
    log,
    reserved = reserve({ address, port }, option),
  }: ListenerParts & { reserved?: ReservedAddress | undefined },
): Promise<number> {
  const explained = (error: unknown): string => explain(error, `${address} port ${port}`, option);
  await listening(server, reserved ?? { port, host: address }, { explained, log });
  return (server.address() as AddressInfo).port;
}

/**
 * Binds a socket to a numeric IPv4 address, if this Node can; undefined otherwise. Node's server would load the name
 * service and compile a pattern for all IPv6 addresses: a tenth of the time until a small program answers.
 * @throws StartError saying which option to change
 */
export function reserve({ address, port }: ListenOptions, option: string): ReservedAddress | undefined {
  // It is not imported by name, because older versions of Node do not have it.
  const { BoundSocket: Bound, isIPv4 } = process.getBuiltinModule('node:net') as Partial<typeof net>;
  if (Bound === undefined || isIPv4?.(address) !== true) return undefined;
  try {
    return { handle: new Bound({ host: address, port }) };
  } catch (error) {
    throw new StartError(explain(error, `${address} port ${port}`, option), { cause: error });
  }
}

/**
 * Starts to listen at a Unix socket, to which every account may connect unless permissions of its directory forbid it.
 * A socket without a listener, as a killed process leaves it, is replaced.
 * @throws StartError saying which option to change
 */
export async function listenUnix(server: NetServer, path: string, { option, log }: ListenerParts): Promise<void> {
  if (await isAbandoned(path)) unlinkSync(path);
  const explained = (error: unknown): string =>
    systemCodeOf(error) === 'EADDRINUSE'
      ? `${path} is in use by another program or no socket: remove it or choose another ${option}`
      : `could not listen at ${path}: ${messageOf(error)}: choose another ${option}`;
  await listening(server, { path, readableAll: true, writableAll: true }, { explained, log });
}

/** Takes up a socket that listens already. @param descriptor inherited from the service manager @throws StartError */
export async function listenInherited(server: NetServer, descriptor: number, log: Logger): Promise<void> {
  const explained = (error: unknown): string => `could not use the socket systemd passed: ${messageOf(error)}`;
  await listening(server, { fd: descriptor }, { explained, log });
}

async function listening(
  server: NetServer,
  where: Parameters<NetServer['listen']>[0] & object,
  { explained, log }: { explained: (error: unknown) => string; log: Logger },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const refuse = (error: unknown): void => reject(new StartError(explained(error), { cause: error }));
  server.once('error', refuse);
  server.listen(where, resolve);
  await promise;
  logLaterErrors(server, log);
  server.off('error', refuse);
}

/**
 * Logs later errors. A connection that could not be accepted, as without free descriptors, does not affect the others.
 */
function logLaterErrors(server: NetServer, log: Logger): void {
  let unlogged = 0;
  let nextLogMs = Number.NEGATIVE_INFINITY;
  server.on('error', (error) => {
    unlogged += 1;
    const now = systemClock.monotonic();
    if (now < nextLogMs) return;
    log.error({ err: error, count: unlogged }, 'a listening socket has failed: it goes on listening');
    unlogged = 0;
    nextLogMs = now + ERROR_LOG_INTERVAL_MS;
  });
}

/**
 * Whether there is a socket that refuses connections. A file of another kind refuses them too, but must not be removed.
 */
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
      return `could not listen on ${where}: ${messageOf(error)}: set ${option}.address to an address of this machine`;
  }
}

/** Stops accepting, lets requests under way finish until the deadline, then ends their connections. */
export async function closeServer(server: Server, deadlineMs: number): Promise<void> {
  // A connection that is kept open after its last answer would keep the server open as long.
  server.keepAliveTimeout = CLOSING_KEEP_ALIVE_MS;
  server.keepAliveTimeoutBuffer = 0;
  const timer = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}
