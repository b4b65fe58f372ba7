import { connect, type Socket } from 'node:net';
import { type IrcLine, parseLine } from './line.ts';
import { LINE_FEED, textsOf } from './line-text.ts';
import { ALWAYS, type Permit } from './permit.ts';

/** Most characters of an IRC line: tags take at most 8191 bytes (IRCv3 message-tags), the rest 512. */
const LINE_MAX_CHARACTERS = 64 * 1024;
/** Most bytes that wait until the other end reads. */
const UNWRITTEN_MAX_BYTES = 1024 * 1024;
const CONNECT_DEADLINE_MS = 10_000;
/** Event of a socket that is closed for this process alone. */
const SILENT = 'silent';

/** Queries, which need no permit: without them the other end would seem to be gone. */
const HARMLESS = /^(?:@\S+ )?(?:PING|PONG|WHOIS|CHATHISTORY) /;

export interface ConnectionEvents {
  onLine(line: IrcLine): void;
  /** Called once, on each kind of end. */
  onClose(error: Error | undefined): void;
}

/** A connection that carries IRC lines. */
export interface IrcConnection {
  /** Writes a line. False if the connection is gone, its other end does not read, or the permit is missing. */
  write(line: string): boolean;
  /** Stops reading until `resume`; lines of the present chunk still come. */
  pause(): void;
  resume(): void;
  /** Closes it for this process alone: the other end sees no end before `close`. */
  fallSilent(): void;
  close(): void;
}

/** Address: `irc+insecure://HOST:PORT` or `unix:///PATH`. */
export type IrcAddress = { path: string } | { host: string; port: number };

const DEFAULT_PORT = 6667;

export function parseAddress(address: string): IrcAddress {
  if (address.startsWith('unix://')) return { path: address.slice('unix://'.length) };
  const { hostname, port } = new URL(address.replace(/^irc\+insecure:/, 'tcp:'));
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? DEFAULT_PORT : Number(port) };
}

/**
 * Resolves when connected.
 * @throws Error when the connection fails or times out
 * @param permit needed to write lines other than queries
 */
export async function openConnection(
  address: IrcAddress,
  events: ConnectionEvents,
  permit: Permit = ALWAYS,
): Promise<IrcConnection> {
  const socket = connect(address);
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('no answer to the connection')), CONNECT_DEADLINE_MS);
    socket.once('error', reject);
    socket.once('close', () => clearTimeout(timer));
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', reject);
      resolve();
    });
  });
  readLines(socket, events);
  const forget = permit.onEnd(() => {
    // The other end would read the queued rest while another process acts.
    if (socket.writableLength > 0) socket.destroy(new Error('this process may not write now'));
  });
  socket.once('close', forget);
  return {
    write(line) {
      if (!permit.isGiven() && !HARMLESS.test(line)) return false;
      if (!socket.writable || socket.writableLength > UNWRITTEN_MAX_BYTES) return false;
      socket.write(`${line}\r\n`);
      return true;
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    fallSilent: () => fallSilent(socket),
    close: () => {
      if (permit.isHandingOver === true && socket.writable) fallSilent(socket);
      else socket.destroy();
    },
  };
}

/**
 * Closes the socket for this process only: the other end sees the end of the process, and is not blocked, because its
 * data are dropped.
 */
function fallSilent(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.resume();
  // Reports the end once, like a closed socket.
  process.nextTick(() => socket.emit(SILENT));
}

function readLines(socket: Socket, events: ConnectionEvents): void {
  let rest: Buffer = Buffer.alloc(0);
  let failure: Error | undefined;
  socket.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    rest = bytes.subarray(end);
    const lines = end === 0 ? [] : textsOf(bytes.subarray(0, end - 1));
    // Sends all answers to one chunk of lines together.
    socket.cork();
    for (const text of lines) {
      if (text.length > LINE_MAX_CHARACTERS) break;
      // CR and NUL are invalid within a line; a line of ours that quotes one could not be written.
      const line = text.replaceAll(/[\r\0]/g, '');
      if (line !== '') takeLine(socket, line, events);
    }
    socket.uncork();
    if (rest.length > LINE_MAX_CHARACTERS || lines.some(({ length }) => length > LINE_MAX_CHARACTERS)) {
      socket.destroy(new Error(`a line longer than ${LINE_MAX_CHARACTERS} characters`));
    }
  });
  socket.on('error', (error) => {
    failure = error;
  });
  socket.once('end', () => socket.destroy());
  const closed = (): void => {
    for (const how of ['close', SILENT]) socket.off(how, closed);
    events.onClose(failure);
  };
  for (const how of ['close', SILENT]) socket.once(how, closed);
}

/** Handles a line; an error ends the connection, not the program. */
function takeLine(socket: Socket, line: string, events: ConnectionEvents): void {
  try {
    events.onLine(parseLine(line));
  } catch (error) {
    socket.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}
