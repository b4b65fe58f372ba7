import { createConnection, type Socket } from 'node:net';
import { messageOf } from '../../../kernel/errors.ts';
import { BusCallError, BusUnreachableError } from '../../errors.ts';
import { decodeMessage, encodeCall, type Incoming, MessageStream, type MethodCall } from './message.ts';
import { WireError, type WireValue } from './wire.ts';

/** Longest line of the authentication; real ones are some tens of bytes long. */
const LINE_MAX_BYTES = 1024;

/** Most calls without an answer; the system bus refuses more than 128. */
const PENDING_MAX = 100;

/** Most queued calls; a question about 64 timers makes 640. */
const WAITING_MAX = 10_000;

/** Serials are unsigned 32-bit numbers other than 0. */
const SERIAL_MAX = 2 ** 32 - 1;

/** A socket, and whether a bus or the program that is asked listens there itself. */
export interface BusAddress {
  path: string;
  kind: 'bus' | 'peer';
}

interface Pending {
  call: MethodCall;
  resolve(values: WireValue[]): void;
  reject(error: Error): void;
}

/**
 * A connection to a message bus, for method calls alone.
 * Anything unexpected ends it with all its calls, and its owner opens another one. The owner also enforces deadlines,
 * by `close`.
 * @see D-Bus specification, Authentication protocol and Message protocol
 */
export class BusConnection {
  readonly #socket: Socket;
  readonly #stream = new MessageStream();
  readonly #pending = new Map<number, Pending>();
  readonly #waiting: Pending[] = [];
  readonly #ready = Promise.withResolvers<void>();
  readonly #path: string;
  readonly #kind: BusAddress['kind'];
  #line: Buffer | undefined = Buffer.alloc(0);
  #serial = 0;
  /** The bus has accepted us, and not only read our greeting. */
  #isIn = false;
  #ended: Error | undefined;

  constructor({ path, kind }: BusAddress) {
    this.#path = path;
    this.#kind = kind;
    // `open` throws the failure; if it is never called, a rejection must not end the process.
    this.#ready.promise.catch(() => undefined);
    this.#socket = createConnection({ path });
    // The bus gets our identity from the kernel; an empty one in AUTH asks it to use that, also across user namespaces.
    this.#socket.once('connect', () => this.#socket.write('\0AUTH EXTERNAL\r\n'));
    this.#socket.on('data', (piece: Buffer) => this.#take(piece));
    this.#socket.on('error', (error) => this.#refuse(error.message));
    this.#socket.on('close', () => this.#refuse('it hung up'));
  }

  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Resolves when calls can be made; call it once, first. @throws BusUnreachableError when there is no bus, BusCallError */
  async open(): Promise<void> {
    await this.#ready.promise;
    const bus = 'org.freedesktop.DBus';
    const hello = { destination: bus, path: '/org/freedesktop/DBus', interface: bus, member: 'Hello', args: [] };
    if (this.#kind === 'bus') await this.call(hello);
    this.#isIn = true;
  }

  /** @throws BusCallError when the peer answers with an error, or the connection ends first */
  call(call: MethodCall): Promise<WireValue[]> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (this.#waiting.length >= WAITING_MAX) return Promise.reject(new BusCallError('', 'too many calls are waiting'));
    const { promise, resolve, reject } = Promise.withResolvers<WireValue[]>();
    this.#waiting.push({ call, resolve, reject });
    this.#send();
    return promise;
  }

  /** Fails all calls that have no answer. */
  close(reason = 'not needed any more'): void {
    this.#fail(new BusCallError('', `the message bus at ${this.#path}: ${reason}`));
  }

  #send(): void {
    while (this.#pending.size < PENDING_MAX) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#serial = (this.#serial % SERIAL_MAX) + 1;
      this.#pending.set(this.#serial, next);
      this.#socket.write(encodeCall(next.call, this.#serial));
    }
  }

  #take(piece: Buffer): void {
    if (this.#ended !== undefined) return;
    try {
      const rest = this.#line === undefined ? piece : this.#authenticate(Buffer.concat([this.#line, piece]));
      if (rest.length === 0) return;
      for (const message of this.#stream.push(rest)) this.#settle(decodeMessage(message));
    } catch (error) {
      this.#refuse(messageOf(error));
    }
  }

  /** Answers the lines of the authentication, and returns the bytes behind them. */
  #authenticate(received: Buffer): Buffer {
    let rest = received;
    for (let end = rest.indexOf('\r\n'); end !== -1; end = rest.indexOf('\r\n')) {
      const word = rest.toString('latin1', 0, end).split(' ', 1)[0];
      rest = rest.subarray(end + 2);
      if (word === 'OK') {
        this.#line = undefined;
        this.#socket.write('BEGIN\r\n');
        this.#ready.resolve();
        return rest;
      }
      if (word !== 'DATA') throw new WireError('it does not let this user in');
      this.#socket.write('DATA\r\n');
    }
    if (rest.length > LINE_MAX_BYTES) throw new WireError('it does not speak D-Bus');
    this.#line = rest;
    return Buffer.alloc(0);
  }

  #settle(message: Incoming): void {
    if (message.kind === 'other') return;
    const pending = this.#pending.get(message.replySerial);
    this.#pending.delete(message.replySerial);
    if (message.kind === 'return') pending?.resolve(message.values);
    else pending?.reject(new BusCallError(message.name, message.text));
    this.#send();
  }

  /**
   * Ends the connection for a fault of the other side. Before calls can be made this means that the bus is unreachable.
   */
  #refuse(reason: string): void {
    const isKnown = this.#line === undefined;
    const why = isKnown ? `${reason}, as it does with accounts that it cannot look up` : reason;
    this.#fail(
      this.#isIn
        ? new BusCallError('', `the message bus at ${this.#path} failed: ${reason}`)
        : new BusUnreachableError(this.#path, why),
    );
  }

  #fail(error: Error): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    this.#socket.destroy();
    this.#ready.reject(error);
    for (const { reject } of [...this.#pending.values(), ...this.#waiting]) reject(error);
    this.#pending.clear();
    this.#waiting.length = 0;
  }
}
