import type { WireEvent } from 'x11';
import type { XConnection } from '../x11/x-connection.ts';
import type { Spot } from './input-context.ts';
import { findServer } from './servers.ts';
import { InputMethodSession, type InputMethodSessionParts } from './session.ts';
import { internTransportAtoms, Transport } from './transport.ts';

/** Time between two lookups of a server; each is a round trip for which no key waits. */
const LOOK_INTERVAL_MS = 1_000;

/**
 * Longest time from the first packet until the server accepts keys; one that needs longer hangs, and may have a
 * successor.
 */
const READY_MAX_MS = 10_000;

export interface ClientParts
  extends Pick<InputMethodSessionParts, 'window' | 'locale' | 'characterOf' | 'onText' | 'onKey'> {
  connection: XConnection;
  /** Name of the server; undefined for any. */
  server: string | undefined;
  /** Returns false for a window that already has handlers. */
  attach(window: number, handlers: Readonly<Record<string, (event: WireEvent) => void>>): boolean;
  detach(window: number): void;
  /** The text under composition has changed. */
  onPreedit(): void;
  hasFocus(): boolean;
  nowMs(): number;
  debug(message: string): void;
}

/** Connects to an input method server, and to its successor when it ends. It owns the transport and the session. */
export class InputMethodClient {
  readonly #parts: ClientParts;
  #session: InputMethodSession | undefined;
  #transport: Transport | undefined;
  #readyDeadline: NodeJS.Timeout | undefined;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #isLooking = false;
  #isStopped = false;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /** The session, once the server accepts keys. */
  get session(): InputMethodSession | undefined {
    return this.#session?.isReady === true ? this.#session : undefined;
  }

  /** Looks up a server, unless one is connected or the last lookup was a moment ago. */
  look(): void {
    const now = this.#parts.nowMs();
    if (this.#session !== undefined || this.#isLooking || now - this.#lookedAtMs < LOOK_INTERVAL_MS) return;
    this.#lookedAtMs = now;
    this.#isLooking = true;
    this.#connect()
      // A failure means that the connection to the X server has ended, which is reported elsewhere.
      .catch(() => {})
      .finally(() => {
        this.#isLooking = false;
      });
  }

  setSpot(spot: Spot): void {
    this.#session?.setSpot(spot);
  }

  stop(): void {
    this.#isStopped = true;
    this.#end();
  }

  async #connect(): Promise<void> {
    const { connection, server } = this.#parts;
    const owner = await findServer(connection, server);
    if (owner === undefined || this.#isStopped) return;
    const atoms = await internTransportAtoms(connection);
    if (this.#isStopped) return;
    const session = new InputMethodSession({
      ...this.#parts,
      send: (packet) => transport.send(packet),
      onReady: () => {
        clearTimeout(this.#readyDeadline);
        this.#parts.debug('the input method is ready');
        session.setFocus(this.#parts.hasFocus());
      },
      onRefused: (why) => this.#lose(why),
    });
    const transport = new Transport({
      ...this.#parts,
      atoms,
      onConnected: () => session.begin(),
      onPacket: (bytes) => session.take(bytes),
      onLost: (why) => this.#lose(why),
    });
    this.#session = session;
    this.#transport = transport;
    this.#readyDeadline = setTimeout(() => this.#lose('it does not answer'), READY_MAX_MS).unref();
    transport.connect(owner);
  }

  #lose(why: string): void {
    this.#parts.debug(`the input method is lost: ${why}`);
    this.#end();
    this.#parts.onPreedit();
  }

  #end(): void {
    clearTimeout(this.#readyDeadline);
    this.#session?.end();
    this.#session = undefined;
    this.#transport?.close();
    this.#transport = undefined;
  }
}
