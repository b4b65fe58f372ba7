import { bouncerUnreachable } from '../errors.ts';
import { type IrcAddress, type IrcConnection, openConnection } from '../irc/connection.ts';
import { formatLine, type IrcLine } from '../irc/line.ts';
import type { BouncerAccount, BouncerEvents, BouncerSession } from '../ports.ts';
import { Capabilities } from './capabilities.ts';
import { captureLine } from './capture.ts';
import { AuthenticationRefused, Registration } from './registration.ts';
import { sendRefusal } from './send-refusal.ts';
import { SessionState } from './session-state.ts';

export { AuthenticationRefused };

const REGISTER_DEADLINE_MS = 10_000;
/** A bouncer that says nothing for this long, although asked, is gone. */
const PING_INTERVAL_MS = 30_000;
const SILENCE_MAX_MS = 75_000;

/** Our tag on a sent line, which the bouncer gives back with it. Others in the channel see it too, so it says nothing. */
const SEND_TAG = '+homeport/id';

export interface SessionOptions {
  address: IrcAddress;
  network: string;
  account: BouncerAccount;
}

/** Attaches to soju. @throws AuthenticationRefused, ConnectorError bouncer_unreachable */
export async function openSession(options: SessionOptions, events: BouncerEvents): Promise<BouncerSession> {
  const session = new Session(options, events);
  try {
    await session.open();
    return session;
  } catch (error) {
    session.close();
    throw error instanceof AuthenticationRefused ? error : bouncerUnreachable(error);
  }
}

class Session implements BouncerSession {
  readonly #options: SessionOptions;
  readonly #events: BouncerEvents;
  readonly #capabilities = new Capabilities();
  readonly #state: SessionState;
  #connection: IrcConnection | undefined;
  #registration: Registration | undefined;
  #registered: { resolve: () => void; reject: (error: Error) => void } | undefined;
  #pinger: NodeJS.Timeout | undefined;
  #lastHeardAt = 0;

  constructor(options: SessionOptions, events: BouncerEvents) {
    this.#options = options;
    this.#events = events;
    this.#state = new SessionState(options.account.nick);
  }

  get nick(): string {
    return this.#state.nick;
  }

  get joinedChannels(): readonly string[] {
    return this.#state.joinedChannels;
  }

  get upstream(): boolean | null {
    return this.#state.upstream;
  }

  get isUnpaced(): boolean {
    return this.#state.isUnpaced;
  }

  async open(): Promise<void> {
    const { account, network, address } = this.#options;
    const connection = await openConnection(address, {
      onLine: (line) => this.#onLine(line),
      onClose: (error) => this.#onClose(error),
    });
    this.#connection = connection;
    const registered = new Promise<void>((resolve, reject) => {
      this.#registered = { resolve, reject };
    });
    const timer = setTimeout(
      () => this.#registered?.reject(new Error('no registration in time')),
      REGISTER_DEADLINE_MS,
    );
    this.#registration = new Registration({ connection, capabilities: this.#capabilities, account, network });
    this.#registration.begin();
    await registered.finally(() => clearTimeout(timer));
    this.#keepAlive();
  }

  sendMessage(channel: string, text: string, tag: string): void {
    if (this.#connection === undefined) throw new Error('the session is closed');
    const tags = this.#capabilities.has('message-tags') ? { [SEND_TAG]: tag } : {};
    this.#connection.write(formatLine('PRIVMSG', [channel, text], tags));
  }

  close(): void {
    clearInterval(this.#pinger);
    this.#connection?.close();
    this.#connection = undefined;
  }

  #keepAlive(): void {
    this.#lastHeardAt = performance.now();
    this.#pinger = setInterval(() => {
      if (performance.now() - this.#lastHeardAt > SILENCE_MAX_MS) this.close();
      else this.#connection?.write(formatLine('PING', ['homeport']));
    }, PING_INTERVAL_MS);
    this.#pinger.unref();
  }

  #onLine(line: IrcLine): void {
    this.#lastHeardAt = performance.now();
    if (line.command === 'PING') this.#connection?.write(formatLine('PONG', line.params));
    if (this.#registration === undefined) this.#onSessionLine(line);
    else this.#onRegistrationLine(line, this.#registration);
  }

  #onRegistrationLine(line: IrcLine, registration: Registration): void {
    try {
      const nick = registration.take(line);
      if (nick === undefined) return;
      this.#state.nick = nick;
      this.#registration = undefined;
      this.#registered?.resolve();
    } catch (error) {
      this.#registered?.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #onSessionLine(line: IrcLine): void {
    if (line.command === 'CAP') {
      for (const name of this.#capabilities.take(line) ?? []) {
        this.#connection?.write(formatLine('CAP', ['REQ', name]));
      }
    }
    // The line is judged by the state before it: a kick's victim is still in the channel.
    const isOwn = this.#state.isOwn(line.sender);
    const captured = captureLine(line, this.#options.network, this.#state.casemapping);
    const wasConnected = this.#state.upstream === true;
    this.#state.take(line);
    if (wasConnected && this.#state.upstream === false) this.#events.onUpstreamLost();
    if (captured !== undefined) this.#events.onLine(captured, isOwn ? { tag: line.tags[SEND_TAG] } : undefined);
    const refusal = sendRefusal(line);
    if (refusal !== undefined) this.#events.onSendRefused(refusal.channel, refusal.reason);
  }

  #onClose(error: Error | undefined): void {
    this.#registered?.reject(error ?? new Error('the bouncer closed the connection'));
    clearInterval(this.#pinger);
    this.#connection = undefined;
    if (this.#registration !== undefined) return;
    if (this.#state.upstream === true) this.#events.onUpstreamLost();
    this.#events.onClose();
  }
}
