import { readFileSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { StartError, systemCodeOf } from '../../kernel/errors.ts';

/** Tables of the kernel with the TCP sockets of this machine. @see proc_net_tcp in the documentation of Linux */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
/** State of a listening socket. */
const LISTENING = '0A';
/** Columns of a line. */
const LOCAL = 1;
const REMOTE = 2;
const STATE = 3;
const ACCOUNT = 7;

/** Digits of a port, and of one of the words that an address consists of. */
const PORT_DIGITS = 4;
const WORD_DIGITS = 8;
/** First words of an IPv4 address that is written as one of IPv6. */
const MAPPED = '0000000000000000FFFF0000';

/** Numbers of accounts that systemd makes while a service runs; only root can start one. @see systemd.exec(5), DynamicUser= */
const DYNAMIC_ACCOUNTS = { first: 61_184, last: 65_519 };

/**
 * Owner of a state directory that newer versions of systemd map to a dynamic account while its service runs; programs of
 * others may have this account, too. @see systemd.exec(5), StateDirectory=
 */
const NOBODY = 65_534;

interface Row {
  local: string;
  remote: string;
  isListening: boolean;
  account: number;
}

/**
 * Refuses to go on with a connection whose other end is a program of another account than the connector's. Any account
 * may listen on a port above 1023 while the connector is away, and would be given what is sent to the connector.
 * @param socket a connection that is open
 * @throws StartError
 */
export function requireOwnListener(socket: Socket, stateDirectory: string): void {
  // It has been closed meanwhile, and nothing can be sent.
  if (socket.remoteAddress === undefined) return;
  const foreign = accountsAt(socket).find((account) => !isTrusted(account, stateDirectory));
  if (foreign === undefined) return;
  throw new StartError(
    `the program that listens on ${socket.remoteAddress} port ${socket.remotePort} belongs to the account with the number ${foreign}, and not to the connector, so it was not given the admin token: end that program and start the connector, or invite on the page of the settings`,
  );
}

/**
 * The accounts of the programs of this machine that have the other end of a connection, or that listen there: one of both may be the
 * only one left. Empty where the other end is on another machine or in a container.
 */
function accountsAt({ localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 }: Socket): number[] {
  const rows = TABLES.flatMap(rowsOf);
  const [here, there] = [placeOf(localAddress, localPort), placeOf(remoteAddress, remotePort)];
  const other = rows.filter(({ local, remote }) => local === there && remote === here);
  const listeners = rows.filter(({ isListening }) => isListening);
  const port = there.slice(-PORT_DIGITS);
  const everywhere = placeOf(remoteAddress.includes(':') ? '::' : '0.0.0.0', remotePort);
  // The kernel prefers the first of these that there is.
  const [listening = []] = [there, everywhere, `${'0'.repeat(4 * WORD_DIGITS)}:${port}`]
    .map((place) => listeners.filter(({ local }) => local === place))
    .filter((found) => found.length > 0);
  return [...other, ...listening].map(({ account }) => account);
}

function isTrusted(account: number, stateDirectory: string): boolean {
  if (account === 0 || account === process.getuid?.()) return true;
  try {
    const { uid } = statSync(stateDirectory);
    return uid === NOBODY ? isDynamic(account) : account === uid;
  } catch (error) {
    // systemd keeps the state of its own accounts where root alone may look.
    return systemCodeOf(error) === 'EACCES' && isDynamic(account);
  }
}

const isDynamic = (account: number): boolean => account >= DYNAMIC_ACCOUNTS.first && account <= DYNAMIC_ACCOUNTS.last;

function rowsOf(table: string): Row[] {
  let text: string;
  try {
    text = readFileSync(table, 'utf8');
  } catch {
    // A kernel may lack IPv6.
    return [];
  }
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns.length > ACCOUNT)
    .map((columns) => ({
      local: mapped(columns[LOCAL] ?? ''),
      remote: mapped(columns[REMOTE] ?? ''),
      isListening: columns[STATE] === LISTENING,
      account: Number(columns[ACCOUNT]),
    }));
}

/** A place of a table, in which an IPv4 address is written as one of IPv6. */
const mapped = (place: string): string => (place.length > WORD_DIGITS + 1 + PORT_DIGITS ? place : `${MAPPED}${place}`);

/** An address and a port as the tables have them: each word of four bytes in the order of the processor, which begins with the last one. */
function placeOf(address: string, port: number): string {
  const bytes = Buffer.from(ipaddr.parse(address.replace(/%.*/, '')).toByteArray());
  const digits = bytes.swap32().toString('hex').toUpperCase();
  return mapped(`${digits}:${port.toString(16).toUpperCase().padStart(PORT_DIGITS, '0')}`);
}
