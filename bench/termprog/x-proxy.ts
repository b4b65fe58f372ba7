import { existsSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';

/** First display number to try; displays of people and of test servers have lower ones. */
const FIRST_DISPLAY = 300;

/** Opcode of MapWindow; X11 protocol. */
const MAP_WINDOW = 8;

/** Kinds of a server's messages; X11 protocol. */
const REPLY = 1;
const GENERIC_EVENT = 35;

/** The traffic from one client to the server. */
export interface Traffic {
  requests: number;
  bytes: number;
  /**
   * Number of times that the client had to wait for an answer before it could map its window; requests that were sent
   * side by side count once.
   */
  roundTripsBeforeMap: number | undefined;
}

/** Stands between clients and an X server, and counts. It never holds more than a socket's buffer. */
export interface XProxy extends AsyncDisposable {
  readonly display: string;
  /** The traffic of the newest client. */
  traffic(): Traffic;
}

export async function startXProxy(display: string): Promise<XProxy> {
  const target = `/tmp/.X11-unix/X${display.replace(/^:/, '')}`;
  let number = FIRST_DISPLAY;
  while (existsSync(`/tmp/.X11-unix/X${number}`)) number += 1;
  let newest: Conversation | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection(target);
    const conversation = new Conversation();
    newest = conversation;
    client.on('data', (bytes) => conversation.fromClient(bytes));
    upstream.on('data', (bytes) => conversation.fromServer(bytes));
    // A pipe stops reading when the other side takes no more.
    client.pipe(upstream);
    upstream.pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(`/tmp/.X11-unix/X${number}`, resolve);
  });
  return {
    display: `:${number}`,
    traffic: () => newest?.traffic() ?? { requests: 0, bytes: 0, roundTripsBeforeMap: undefined },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Cuts a stream of bytes into messages, whose beginning contains their length. */
class Cutter {
  #held = Buffer.alloc(0);
  readonly #lengthOf: (start: Buffer) => number | undefined;
  readonly #take: (message: Buffer) => void;

  /** @param lengthOf returns undefined while too few bytes are there */
  constructor(lengthOf: (start: Buffer) => number | undefined, take: (message: Buffer) => void) {
    this.#lengthOf = lengthOf;
    this.#take = take;
  }

  add(bytes: Buffer): void {
    let rest = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    for (let length = this.#lengthOf(rest); length !== undefined && rest.length >= length; ) {
      this.#take(rest.subarray(0, length));
      rest = rest.subarray(length);
      length = this.#lengthOf(rest);
    }
    this.#held = Buffer.from(rest);
  }
}

/**
 * Counts the traffic of one client with the server, in both directions. Both send the least significant byte first,
 * like this machine.
 */
class Conversation {
  #bytes = 0;
  #isSetUp = { client: false, server: false };
  /** Number of requests so far, which is also the number of the newest. */
  #requests = 0;
  /** Request -> number of answers that had to come before it could be sent. */
  readonly #depths = new Map<number, number>();
  /** Answers on the longest chain of waits so far; the set-up is the first answer. */
  #answered = 0;
  #depthOfMap: number | undefined;
  readonly #client = new Cutter(
    (start) => (this.#isSetUp.client ? requestLength(start) : setUpLength(start)),
    (message) => this.#request(message),
  );
  readonly #server = new Cutter(
    (start) => (this.#isSetUp.server ? answerLength(start) : setUpAnswerLength(start)),
    (message) => this.#answer(message),
  );

  fromClient(bytes: Buffer): void {
    this.#bytes += bytes.length;
    this.#client.add(bytes);
  }

  fromServer(bytes: Buffer): void {
    this.#server.add(bytes);
  }

  traffic(): Traffic {
    return { requests: this.#requests, bytes: this.#bytes, roundTripsBeforeMap: this.#depthOfMap };
  }

  #request(message: Buffer): void {
    if (!this.#isSetUp.client) {
      this.#isSetUp.client = true;
      return;
    }
    this.#requests += 1;
    if (this.#depthOfMap !== undefined) return;
    this.#depths.set(this.#requests & 0xffff, this.#answered);
    if (message[0] === MAP_WINDOW) this.#depthOfMap = this.#answered;
  }

  #answer(message: Buffer): void {
    if (!this.#isSetUp.server) {
      this.#isSetUp.server = true;
      this.#answered = 1;
      return;
    }
    if (message[0] !== REPLY) return;
    const depth = this.#depths.get(message.readUInt16LE(2));
    if (depth !== undefined) this.#answered = Math.max(this.#answered, depth + 1);
  }
}

const padded = (length: number): number => (length + 3) & ~3;

function setUpLength(start: Buffer): number | undefined {
  if (start.length < 12) return undefined;
  return 12 + padded(start.readUInt16LE(6)) + padded(start.readUInt16LE(8));
}

function requestLength(start: Buffer): number | undefined {
  if (start.length < 4) return undefined;
  const words = start.readUInt16LE(2);
  if (words > 0) return words * 4;
  // A big request: its length follows.
  return start.length < 8 ? undefined : start.readUInt32LE(4) * 4;
}

function setUpAnswerLength(start: Buffer): number | undefined {
  return start.length < 8 ? undefined : 8 + start.readUInt16LE(6) * 4;
}

function answerLength(start: Buffer): number | undefined {
  if (start.length < 32) return undefined;
  const kind = (start[0] ?? 0) & 0x7f;
  return kind === REPLY || kind === GENERIC_EVENT ? 32 + start.readUInt32LE(4) * 4 : 32;
}
