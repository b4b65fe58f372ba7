import type { Client, Display, Property, Screen, WireEvent, XError } from 'x11';
import { messageOf, systemCodeOf } from '../../kernel/errors.ts';
import { DisplayUnavailableError, RequestRefusedError } from '../errors.ts';
import { guardReading, limitAnswers, sweepOnlyCallbacks } from './library-guards.ts';
import { watchSilence } from './silence.ts';
import { makeSynchronous } from './synchronous.ts';
import { describeError, isXError } from './x-errors.ts';

/** Most of one property that is read, in units of four bytes. */
const PROPERTY_MAX_UNITS = 1 << 20;

/** Larger than any expected answer; the longest is that of a property. */
const ANSWER_MAX_BYTES = 4 * PROPERTY_MAX_UNITS + 1024;

/** Requests are passed to the library in pieces of this size, which it copies; four of them fill one of its batches. */
const PIECE_BYTES = 4096;

/**
 * Most requests between two that have an answer. Answers carry 16 bits of their request's number, so after 65,536
 * requests without an answer the numbers would be ambiguous.
 */
const UNANSWERED_MAX = 60_000;

/**
 * Most events that are kept for the first listener. Before the window exists they only report keyboard mapping changes;
 * a query after the first of them covers those that follow.
 */
const EARLY_EVENTS_MAX = 64;

/** Longest wait for the server at the end: a window must not stay longer if the server has stopped. */
const FINISH_MAX_MS = 150;

/** A packed request that each server answers at once; X11 protocol, GetInputFocus. */
const GET_INPUT_FOCUS = Buffer.from([43, 0, 1, 0]);

/** Ignores the content of an answer whose arrival alone matters. */
const readNothing = (): undefined => undefined;

export interface ConnectionListener {
  onEvent(event: WireEvent): void;
  /** A request failed; the connection stays open. */
  onError(message: string, error: XError): void;
  /** Called once, when the server goes away; never after `close`. */
  onEnd(error: DisplayUnavailableError): void;
}

/**
 * A connection to an X server: requests by the library's client, answers as promises with a deadline. Requests of one
 * turn of the event loop leave together, at its end or when `flush` is called. Once the connection has ended, requests
 * are dropped silently.
 */
export class XConnection {
  readonly name: string;
  readonly client: Client;
  readonly screen: Screen;
  readonly #display: Display;
  #isOpen = true;
  #hasDeadlines = true;
  /** Sends the queued requests at once; undefined unless the connection is synchronous. */
  #sendWaiting: (() => void) | undefined;
  /** The reason why it ended, if this program did not close it. */
  #lost: DisplayUnavailableError | undefined;
  #listener: ConnectionListener | undefined;
  readonly #earlyEvents: WireEvent[] = [];
  /** Handles each event: keeps it for the first listener, or passes it to the present one. */
  #takeEvent = (event: WireEvent): void => {
    if (this.#earlyEvents.length < EARLY_EVENTS_MAX) this.#earlyEvents.push(event);
  };
  readonly #waiting = new Set<(error: DisplayUnavailableError) => void>();

  constructor(name: string, display: Display, screen: Screen) {
    this.name = name;
    this.client = display.client;
    this.screen = screen;
    this.#display = display;
    const { client } = this;
    // The library's table is shared by the connections to all servers, so this one gets a copy.
    client.atoms = { ...client.atoms };
    client.removeAllListeners('error');
    client.on('error', (error: XError) => {
      // Errors with a system code come from the socket.
      if (systemCodeOf(error) !== undefined) this.#lose();
      else this.#listener?.onError(describeError(error), error);
    });
    client.on('event', this.#takeEvent);
    client.on('end', () => this.#lose());
    client.stream.on('close', () => this.#lose());
    limitAnswers(client, ANSWER_MAX_BYTES, (length) =>
      this.#lose(`sent ${length} bytes where at most ${ANSWER_MAX_BYTES} were asked for`),
    );
    sweepOnlyCallbacks(client);
  }

  get keycodes(): { first: number; last: number } {
    return { first: this.#display.min_keycode, last: this.#display.max_keycode };
  }

  get screenNumber(): number {
    return this.#display.screen.indexOf(this.screen);
  }

  /** Root window of the server's first screen. */
  get firstRoot(): number {
    return this.#display.screen[0]?.root ?? this.screen.root;
  }

  /** False once the connection has ended or was closed. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Bytes that the socket has not accepted yet. */
  get queuedBytes(): number {
    const { pack_stream: packed, stream } = this.client;
    const batches = packed.write_queue.reduce<number>(
      (sum, item) => sum + (item instanceof Uint8Array ? item.length : 0),
      0,
    );
    return packed._used + batches + stream.writableLength;
  }

  /** Bytes of all requests so far, sent or not. */
  get packedBytes(): number {
    return this.client.pack_stream.stats.bytes;
  }

  /**
   * Sets the listener, replacing the last one. It is also notified of an earlier end; the first one gets the earlier
   * events too.
   */
  listen(listener: ConnectionListener): void {
    this.#listener = listener;
    this.client.off('event', this.#takeEvent);
    this.#takeEvent = (event) => listener.onEvent(event);
    this.client.on('event', this.#takeEvent);
    for (const event of this.#earlyEvents.splice(0)) queueMicrotask(() => listener.onEvent(event));
    const lost = this.#lost;
    if (lost !== undefined) queueMicrotask(() => listener.onEnd(lost));
  }

  /**
   * Removes the deadlines of all answers, including those to earlier requests: a started program waits until its server
   * continues.
   */
  liftDeadlines(): void {
    this.#hasDeadlines = false;
  }

  /** Makes each request wait until the server has handled the previous one. */
  makeSynchronous(): void {
    this.#sendWaiting = makeSynchronous(this.client);
  }

  /**
   * Sends a request and returns its answer.
   * @throws RequestRefusedError when the answer is an error, and when the request can't be made
   * @throws DisplayUnavailableError when the answer can't be parsed, when the server goes away before it, and, until
   * deadlines are lifted, when the server is silent for ten seconds
   */
  ask<T>(
    what: string,
    request: (client: Client, reply: (error: Error | null | undefined, value: T) => true) => void,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.#isOpen) return reject(this.#lost ?? this.#closedBy('this program'));
      const fail = (error: Error): void => {
        endWatch();
        this.#waiting.delete(fail);
        reject(error);
      };
      const endWatch = this.#watchSilence(() =>
        fail(new DisplayUnavailableError(`the X server ${this.name} does not answer when asked for ${what}`)),
      );
      this.#waiting.add(fail);
      const before = this.client.seq_num;
      try {
        request(this.client, (error, value) => {
          // Answers from the library's cache come with undefined as error.
          if (error !== null && error !== undefined) fail(this.#refusal(what, error));
          else {
            endWatch();
            this.#waiting.delete(fail);
            resolve(value);
          }
          return true;
        });
      } catch (error) {
        fail(this.#refusal(what, error));
      }
      // An answer from the library's cache makes no request.
      if (this.client.seq_num > before) guardReading(this.client, () => fail(this.#unreadable(what)));
    });
  }

  /** Sends one packed request and returns the answer's bytes from the ninth on. */
  askBytes(what: string, request: Uint8Array): Promise<Buffer> {
    return this.askPacked(what, request, (body) => body);
  }

  /**
   * Sends one packed request.
   * @param read gets the answer's bytes from the ninth on, and its second byte
   */
  askPacked<T>(what: string, request: Uint8Array, read: (body: Buffer, detail: number) => T): Promise<T> {
    return this.ask<T>(what, (client, reply) => {
      client.seq_num += 1;
      client.replies[client.seq_num] = [read, (error, value) => reply(error, value as T)];
      client.pack_stream.put(Buffer.from(request));
      client.pack_stream.submit(true);
    });
  }

  /**
   * Queues packed requests in order with those of the library. The bytes are copied. They leave with the next answered
   * request or flush: unlike the library's own requests they do not schedule a flush.
   * @param bytes whole requests, each padded to four bytes and none of more than 256 KiB
   * @param count number of requests
   * @throws RangeError for more than 60,000 at once
   */
  sendRequests(bytes: Uint8Array, count: number): void {
    if (count > UNANSWERED_MAX) throw new RangeError(`${count} requests are too many for one call`);
    if (!this.#isOpen || count === 0) return;
    const { client } = this;
    if (this.#sendWaiting !== undefined) {
      this.#sendOneByOne(bytes);
      return;
    }
    if (client.seq_num + count - client._last_seq_anchor > UNANSWERED_MAX) client.GetInputFocus(() => true);
    client.seq_num += count;
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const length = Math.min(PIECE_BYTES, bytes.length - at);
      client.pack_stream.put(Buffer.from(bytes.buffer, bytes.byteOffset + at, length));
    }
  }

  /** Flushes; `done` is called when the server has handled all requests, or never. */
  fence(done: () => void): void {
    if (!this.#isOpen) return;
    const { client } = this;
    const take = (): true => {
      if (this.#isOpen) done();
      return true;
    };
    if (this.#sendWaiting === undefined) {
      // Once per frame: the request is packed here to avoid the library's flush in a later turn of the event loop.
      client.seq_num += 1;
      client._last_seq_anchor = client.seq_num;
      client.replies[client.seq_num] = [readNothing, take];
      client.pack_stream.put(GET_INPUT_FOCUS);
    } else client.GetInputFocus(take);
    this.flush();
  }

  /** Writes the queued requests to the socket now. */
  flush(): void {
    if (this.#isOpen) this.client.pack_stream.flush();
  }

  internAtom(name: string, { onlyIfExists = false } = {}): Promise<number> {
    return this.ask<number>(`the atom ${name}`, (client, reply) => client.InternAtom(onlyIfExists, name, reply));
  }

  /**
   * Returns the bytes of a property as latin1; undefined when it is missing or has another type; 0 means any type.
   * @param onCut is called when the property has more bytes than are read
   */
  async readProperty(window: number, property: number, type = 0, onCut = (): void => {}): Promise<string | undefined> {
    const {
      data,
      type: found,
      bytesAfter,
    } = await this.ask<Property>('a property', (client, reply) =>
      client.GetProperty(0, window, property, type, 0, PROPERTY_MAX_UNITS, reply),
    );
    if (found === 0 || (type !== 0 && found !== type)) return undefined;
    if (bytesAfter > 0) onCut();
    return data.toString('latin1');
  }

  /**
   * Closes when the server has handled all requests, as XCloseDisplay(3) does: requests that a server has not read when
   * its client is gone may be lost. The wait for the server is short.
   */
  async finish(): Promise<void> {
    const { promise: isTime, resolve } = Promise.withResolvers<void>();
    const deadline = setTimeout(resolve, FINISH_MAX_MS);
    this.ask<unknown>('all to be handled', (client, reply) => client.GetInputFocus(reply)).then(
      () => resolve(),
      // The server is gone, so it handles no further request.
      () => resolve(),
    );
    this.flush();
    await isTime;
    clearTimeout(deadline);
    this.close();
  }

  /** Closes without waiting; earlier requests are still sent. */
  close(): void {
    if (!this.#isOpen) return;
    const error = this.#closedBy('this program');
    this.#sendWaiting?.();
    this.client.terminate();
    this.#end(error);
  }

  #sendOneByOne(bytes: Uint8Array): void {
    const { client } = this;
    const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < packed.length; ) {
      const end = at + 4 * packed.readUInt16LE(at + 2);
      client.seq_num += 1;
      client.pack_stream.put(packed.subarray(at, end));
      client.pack_stream.submit(false);
      at = end;
    }
  }

  #refusal(what: string, error: unknown): RequestRefusedError {
    const reason = isXError(error) ? describeError(error) : messageOf(error);
    return new RequestRefusedError(`the X server ${this.name} can't be asked for ${what}: ${reason}`);
  }

  #unreadable(what: string): DisplayUnavailableError {
    return new DisplayUnavailableError(
      `the X server ${this.name} gave an answer that can't be read when asked for ${what}`,
    );
  }

  #watchSilence(onSilent: () => void): () => void {
    const { stream } = this.client;
    return watchSilence(
      () => stream.bytesRead,
      () => {
        if (this.#hasDeadlines) onSilent();
      },
    );
  }

  #lose(how = 'closed the connection'): void {
    if (!this.#isOpen) return;
    this.#lost = new DisplayUnavailableError(`the X server ${this.name} ${how}`);
    this.#end(this.#lost);
    this.client.stream.destroy();
    this.#listener?.onEnd(this.#lost);
  }

  /** Rejects all waiting requests; later ones are dropped. */
  #end(error: DisplayUnavailableError): void {
    this.#isOpen = false;
    const { client } = this;
    Object.assign(client.pack_stream, { put: () => client.pack_stream, submit: () => true });
    for (const fail of this.#waiting) fail(error);
    client.replies = {};
  }

  #closedBy(whom: string): DisplayUnavailableError {
    return new DisplayUnavailableError(`the connection to the X server ${this.name} was closed by ${whom}`);
  }
}
