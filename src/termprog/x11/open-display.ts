import x11, { type Display } from 'x11';
import { messageOf, systemCodeOf } from '../../kernel/errors.ts';
import { DisplayUnavailableError } from '../errors.ts';
import { type Cookie, findCookie } from './authority.ts';
import { type DisplayName, libraryDisplayName, parseDisplayName, whyUnreachable } from './display-name.ts';
import { connectSocket } from './display-socket.ts';
import { SILENCE_MAX_MS, watchSilence } from './silence.ts';
import { XConnection } from './x-connection.ts';

export interface ConnectOptions {
  displayName: string;
  hostName: string;
  /** Content of the authority file; undefined if there is no file. */
  authorityFile: Buffer | undefined;
}

/** @throws DisplayUnavailableError with one line that names the display */
export async function connectToDisplay(options: ConnectOptions): Promise<XConnection> {
  const { displayName } = options;
  const parsed = parseDisplayName(displayName);
  if (parsed === undefined) {
    throw new DisplayUnavailableError(`"${displayName}" is not a display name; expected [host]:number, such as :0`);
  }
  const refusal = whyUnreachable(parsed);
  if (refusal !== undefined) throw cannotOpen(displayName, refusal);
  const connection = await cookieFor(parsed, options)
    .then((cookie) => open(displayName, parsed, cookie))
    .catch((error: unknown) => {
      throw error instanceof DisplayUnavailableError ? error : cannotOpen(displayName, messageOf(error));
    });
  if (connection === undefined) {
    throw new DisplayUnavailableError(`the X server ${displayName} has no screen ${parsed.screen}`);
  }
  return connection;
}

function cannotOpen(displayName: string, reason: string): DisplayUnavailableError {
  return new DisplayUnavailableError(`can't open the display "${displayName}": ${reason}`);
}

/** Opens the connection; undefined when the server exists but lacks the screen. */
function open(displayName: string, parsed: DisplayName, cookie: Cookie): Promise<XConnection | undefined> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      endWatch();
      reject(cannotOpen(displayName, reason));
    };
    const ready = (display: Display): void => {
      endWatch();
      const screen = display.screen[parsed.screen];
      if (screen === undefined) display.client.terminate();
      // The connection is created in this turn, so that it has listeners before it can end.
      resolve(screen && new XConnection(displayName, display, screen));
    };
    const socket = connectSocket(parsed);
    const client = x11.createClient(
      {
        display: libraryDisplayName(parsed),
        // Without buffering every request would be a system call of its own. Requests of one turn are sent together and
        // answered together: one round trip.
        bufferRequests: { flushOnReply: false },
        disableBigRequests: true,
        shm: false,
        auth: cookie,
        stream: socket,
      },
      (error, display) => (error === undefined ? ready(display) : fail(reasonOf(error))),
    );
    client.on('error', (error: Error) => fail(reasonOf(error)));
    const endWatch = watchSilence(
      () => socket.bytesRead,
      () => {
        fail(`no answer within ${SILENCE_MAX_MS / 1000} seconds`);
        socket.destroy();
      },
    );
  });
}

function reasonOf(error: Error): string {
  const code = systemCodeOf(error);
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'no X server answers there';
  return messageOf(error)
    .replace(/^X server connection failed: /, 'the server says: ')
    .trim();
}

async function cookieFor({ transport, host, number }: DisplayName, options: ConnectOptions): Promise<Cookie> {
  const none: Cookie = { name: '', data: '' };
  if (options.authorityFile === undefined) return none;
  const local = Buffer.from(options.hostName, 'latin1');
  const addresses = transport === 'local' || host === '' ? [local] : await networkAddresses(host, local);
  return findCookie(options.authorityFile, number, addresses) ?? none;
}

/** Returns the bytes of a host's addresses; loopback ones are replaced by this machine's name. */
async function networkAddresses(host: string, local: Buffer): Promise<Buffer[]> {
  // The module is loaded on demand: most servers are on this machine.
  const { lookup } = process.getBuiltinModule('node:dns/promises');
  // Without addresses there is no cookie; the connection that follows reports a name that can't be resolved.
  const found = await lookup(host, { all: true, family: 4 }).catch(() => []);
  return found.map(({ address }) =>
    address.startsWith('127.') ? local : Buffer.from(address.split('.').map((part) => Number(part))),
  );
}
