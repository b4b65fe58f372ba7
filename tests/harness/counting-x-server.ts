import { createConnection } from 'node:net';
import { listen, socketOf, type UnwillingServer } from './unwilling-x-server.ts';

export interface CountingServer extends UnwillingServer {
  /** Bytes that clients have sent. */
  sentBytes(): number;
  /** Requests of a code that clients have sent. */
  requests(opcode: number): number;
  /** Events of a code that the server has sent. */
  events(code: number): number;
}

/**
 * Stands before an X server and counts what clients send.
 * @param delayMs how long each piece is on its way, in both directions
 */
export async function startCountingServer(display: string, { delayMs = 0 } = {}): Promise<CountingServer> {
  let sent = 0;
  const counts = new Map<number, number>();
  const events = new Map<number, number>();
  const server = await listen((client) => {
    const upstream = createConnection(socketOf(Number(display.slice(1))));
    const late = (pass: () => void): void => {
      if (delayMs === 0) pass();
      else setTimeout(pass, delayMs);
    };
    const cutter = new RequestCutter(([opcode = 0], isGreeting) => {
      if (!isGreeting) counts.set(opcode, (counts.get(opcode) ?? 0) + 1);
    });
    client.on('data', (bytes) => {
      sent += bytes.length;
      cutter.add(bytes);
      late(() => upstream.write(bytes));
    });
    const answers = new AnswerCutter((code) => void events.set(code, (events.get(code) ?? 0) + 1));
    upstream.on('data', (bytes) => answers.add(bytes));
    upstream.on('data', (bytes) => late(() => client.write(bytes)));
    client.on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
  });
  return {
    ...server,
    sentBytes: () => sent,
    requests: (opcode) => counts.get(opcode) ?? 0,
    events: (code) => events.get(code) ?? 0,
  };
}

/** Bytes of an error, an event, and of a reply without what follows it. */
const ANSWER_BYTES = 32;
const REPLY = 1;
const GENERIC_EVENT = 35;

/** Cuts a server's stream, and names the events; the greeting comes first. Least significant bytes are first. */
class AnswerCutter {
  readonly #take: (code: number) => void;
  #held = Buffer.alloc(0);
  #isGreeted = false;

  constructor(take: (code: number) => void) {
    this.#take = take;
  }

  add(bytes: Buffer): void {
    this.#held = Buffer.concat([this.#held, bytes]);
    for (let length = this.#length(); length !== undefined && this.#held.length >= length; length = this.#length()) {
      const [kind = 0] = this.#held;
      if (this.#isGreeted && kind > REPLY) this.#take(kind & 0x7f);
      this.#isGreeted = true;
      this.#held = this.#held.subarray(length);
    }
  }

  #length(): number | undefined {
    const held = this.#held;
    if (!this.#isGreeted) return held.length < 8 ? undefined : 8 + 4 * held.readUInt16LE(6);
    if (held.length < ANSWER_BYTES) return undefined;
    const isLonger = held[0] === REPLY || held[0] === GENERIC_EVENT;
    return ANSWER_BYTES + (isLonger ? 4 * held.readUInt32LE(4) : 0);
  }
}

const padded = (length: number): number => (length + 3) & ~3;

/** Cuts a client's stream into requests; the greeting comes first. Least significant bytes are first. X11 protocol, §1 */
export class RequestCutter {
  readonly #take: (request: Buffer, isGreeting: boolean) => void;
  #held = Buffer.alloc(0);
  #isGreeted = false;

  constructor(take: (request: Buffer, isGreeting: boolean) => void) {
    this.#take = take;
  }

  add(bytes: Buffer): void {
    this.#held = Buffer.concat([this.#held, bytes]);
    for (let length = this.#length(); length !== undefined && this.#held.length >= length; length = this.#length()) {
      this.#take(this.#held.subarray(0, length), !this.#isGreeted);
      this.#isGreeted = true;
      this.#held = this.#held.subarray(length);
    }
  }

  /** Returns the length of the next request; undefined while too few bytes are there. */
  #length(): number | undefined {
    const held = this.#held;
    if (!this.#isGreeted) {
      return held.length < 12 ? undefined : 12 + padded(held.readUInt16LE(6)) + padded(held.readUInt16LE(8));
    }
    if (held.length < 4) return undefined;
    const words = held.readUInt16LE(2);
    if (words > 0) return 4 * words;
    // A big request: its length follows.
    return held.length < 8 ? undefined : 4 * held.readUInt32LE(4);
  }
}
