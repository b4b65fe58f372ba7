import { lookup } from 'node:dns/promises';
import x11, { type Client, type Display, type Property, type Screen, type WireEvent } from 'x11';
import { messageOf, systemCodeOf } from '../../kernel/errors.ts';
import { DisplayUnavailableError } from '../errors.ts';
import { type Cookie, findCookie } from './authority.ts';
import { type DisplayName, parseDisplayName } from './display-name.ts';

/** How long the server may take to accept a client, and to answer one request. */
const CONNECT_DEADLINE_MS = 10_000;
const ANSWER_DEADLINE_MS = 10_000;

/** Most that is read of one property, in units of four bytes. */
const PROPERTY_MAX_UNITS = 1 << 20;

export interface ConnectOptions {
  displayName: string;
  hostName: string;
  /** Content of the authority file, undefined when there is none. */
  authorityFile: Buffer | undefined;
}

/** A connection to an X server: requests by the library's client, answers as promises with a deadline. */
export class XConnection {
  readonly name: string;
  readonly client: Client;
  readonly screen: Screen;
  readonly #display: Display;
  #isEnded = false;

  constructor(name: string, display: Display, screen: Screen) {
    this.name = name;
    this.client = display.client;
    this.screen = screen;
    this.#display = display;
  }

  get keycodes(): { first: number; last: number } {
    return { first: this.#display.min_keycode, last: this.#display.max_keycode };
  }

  /** False once the connection is going down: a request would throw then. */
  get isOpen(): boolean {
    return !this.#isEnded;
  }

  /** `onEnd` is told once, when the server goes away; errors of requests go to `onError` and end nothing. */
  listen(handlers: {
    onEvent(event: WireEvent): void;
    onError(message: string): void;
    onEnd(error: DisplayUnavailableError): void;
  }): void {
    const end = (): void => {
      if (this.#isEnded) return;
      this.#isEnded = true;
      handlers.onEnd(new DisplayUnavailableError(`the X server ${this.name} closed the connection`));
    };
    this.client.on('event', (event: WireEvent) => handlers.onEvent(event));
    this.client.removeAllListeners('error');
    this.client.on('error', (error: Error) =>
      systemCodeOf(error) === undefined ? handlers.onError(error.message) : end(),
    );
    this.client.on('end', end);
  }

  /** @throws DisplayUnavailableError when the answer does not come in time */
  ask<T>(
    what: string,
    request: (client: Client, reply: (error: Error | null | undefined, value: T) => true) => void,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new DisplayUnavailableError(`the X server ${this.name} does not answer when asked for ${what}`)),
        ANSWER_DEADLINE_MS,
      );
      request(this.client, (error, value) => {
        clearTimeout(timer);
        // Answers the library has in its cache come with undefined.
        if (error === null || error === undefined) resolve(value);
        else reject(error);
        return true;
      });
    });
  }

  internAtom(name: string): Promise<number> {
    return this.ask<number>(`the atom ${name}`, (client, reply) => client.InternAtom(false, name, reply));
  }

  /** The bytes of a property as latin1, undefined when it is not there. */
  async readProperty(window: number, property: number, type = 0): Promise<string | undefined> {
    const { data, type: found } = await this.ask<Property>('a property', (client, reply) =>
      client.GetProperty(0, window, property, type, 0, PROPERTY_MAX_UNITS, reply),
    );
    return found === 0 ? undefined : data.toString('latin1');
  }

  /** Closes without waiting; what was requested before is still sent. */
  close(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.client.terminate();
  }
}

/** @throws DisplayUnavailableError with one line that names the display */
export async function connectToDisplay(options: ConnectOptions): Promise<XConnection> {
  const { displayName } = options;
  const parsed = parseDisplayName(displayName);
  if (parsed === undefined) {
    throw new DisplayUnavailableError(`"${displayName}" is no display name; expected [host]:number, such as :0`);
  }
  const cookie = await cookieFor(parsed, options);
  const display = await open(displayName, cookie);
  const screen = display.screen[parsed.screen];
  if (screen === undefined) {
    display.client.terminate();
    throw new DisplayUnavailableError(`the X server ${displayName} has no screen ${parsed.screen}`);
  }
  return new XConnection(displayName, display, screen);
}

function open(displayName: string, cookie: Cookie): Promise<Display> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      clearTimeout(timer);
      reject(new DisplayUnavailableError(`can't open the display "${displayName}": ${reason}`));
    };
    const timer = setTimeout(() => fail(`no answer within ${CONNECT_DEADLINE_MS / 1000} seconds`), CONNECT_DEADLINE_MS);
    // Without buffering every request would be a system call of its own.
    const client = x11.createClient(
      { display: displayName, bufferRequests: true, shm: false, auth: cookie },
      (error, display) => {
        if (error !== undefined) return fail(reasonOf(error));
        clearTimeout(timer);
        resolve(display);
      },
    );
    client.on('error', (error: Error) => fail(reasonOf(error)));
  });
}

function reasonOf(error: Error): string {
  const code = systemCodeOf(error);
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'no X server answers there';
  return messageOf(error)
    .replace(/^X server connection failed: /, 'the server says: ')
    .trim();
}

async function cookieFor({ host, number }: DisplayName, options: ConnectOptions): Promise<Cookie> {
  const none: Cookie = { name: '', data: '' };
  if (options.authorityFile === undefined) return none;
  const local = Buffer.from(options.hostName, 'latin1');
  const addresses = host === '' ? [local] : await networkAddresses(host, local);
  return findCookie(options.authorityFile, number, addresses) ?? none;
}

/** Bytes of a host's addresses; the loopback ones mean this machine. */
async function networkAddresses(host: string, local: Buffer): Promise<Buffer[]> {
  const found = await lookup(host, { all: true, family: 4 }).catch(() => []);
  return found.map(({ address }) =>
    address.startsWith('127.') ? local : Buffer.from(address.split('.').map((part) => Number(part))),
  );
}
