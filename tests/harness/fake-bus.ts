import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { WireReader, WireWriter } from '../../src/agent/host/dbus/wire.ts';
import { tempFolder } from './temp-folder.ts';

/** A method call as it arrived. */
export interface ReceivedCall {
  serial: number;
  member: string;
  path: string;
  args: unknown[];
}

/** Behaviour of the other side of a bus; every part is for faults that a real bus does not have. */
export interface BusBehaviour {
  /** Lines of the authentication -> the answer; without one the usual answers. */
  greet?: (line: string, socket: Socket) => void;
  /** The first call of a connection; without it the usual answer. */
  onHello?: (call: ReceivedCall, socket: Socket) => void;
  /** Calls other than Hello. */
  onCall: (call: ReceivedCall, socket: Socket) => void;
}

export interface FakeBus extends AsyncDisposable {
  path: string;
  /** Connections so far. */
  connections(): number;
}

const METHOD_RETURN = 2;
const ERROR = 3;

/** A whole message that answers a call. */
export function encodeReturn(serial: number, signature: string, write: (body: WireWriter) => void): Buffer {
  return encodeAnswer(METHOD_RETURN, serial, signature, write);
}

export function encodeError(serial: number, name: string, text: string): Buffer {
  return encodeAnswer(ERROR, serial, 's', (body) => body.string(text), name);
}

/** The answer to `ListUnitsFiltered`: failed units of these names. */
export function encodeUnitList(serial: number, names: readonly string[]): Buffer {
  return encodeReturn(serial, 'a(ssssssouso)', (body) =>
    body.array(8, () => {
      for (const name of names) {
        body.align(8);
        for (const text of [name, '', 'loaded', 'failed', 'failed', '', '/u']) body.string(text);
        body.uint32(0);
        for (const text of ['', '/']) body.string(text);
      }
    }),
  );
}

/** `v` of a string, as the answer to `Get`. */
export const stringVariant = (text: string) => (body: WireWriter) => {
  body.signature('s');
  body.string(text);
};

function encodeAnswer(
  type: number,
  serial: number,
  signature: string,
  write: (body: WireWriter) => void,
  errorName?: string,
): Buffer {
  const body = new WireWriter();
  write(body);
  const message = new WireWriter();
  for (const byte of [0x6c, type, 1, 1]) message.byte(byte);
  message.uint32(body.bytes().length);
  message.uint32(1000 + serial);
  message.array(8, () => {
    const field = (code: number, kind: string, value: () => void) => {
      message.align(8);
      message.byte(code);
      message.signature(kind);
      value();
    };
    if (errorName !== undefined) field(4, 's', () => message.string(errorName));
    field(5, 'u', () => message.uint32(serial));
    field(8, 'g', () => message.signature(signature));
  });
  message.align(8);
  return Buffer.concat([message.bytes(), body.bytes()]);
}

function usualGreeting(line: string, socket: Socket): void {
  if (line.includes('AUTH EXTERNAL')) socket.write('DATA\r\n');
  else if (line === 'DATA') socket.write('OK 0123456789abcdef0123456789abcdef\r\n');
}

/** The bus's side of one connection: it reads lines until BEGIN, then messages, and answers as the behaviour says. */
class Conversation {
  readonly #socket: Socket;
  readonly #behaviour: BusBehaviour;
  #received = Buffer.alloc(0);
  #isGreeted = false;

  constructor(socket: Socket, behaviour: BusBehaviour) {
    this.#socket = socket;
    this.#behaviour = behaviour;
  }

  take(piece: Buffer): void {
    this.#received = Buffer.concat([this.#received, piece]);
    while (!this.#isGreeted) {
      const end = this.#received.indexOf('\r\n');
      if (end === -1) return;
      const line = this.#received.toString('latin1', 0, end);
      this.#received = this.#received.subarray(end + 2);
      this.#isGreeted = line === 'BEGIN';
      if (!this.#isGreeted) (this.#behaviour.greet ?? usualGreeting)(line, this.#socket);
    }
    for (let call = this.#nextCall(); call !== undefined; call = this.#nextCall()) this.#answer(call);
  }

  #answer(call: ReceivedCall): void {
    if (call.member !== 'Hello') this.#behaviour.onCall(call, this.#socket);
    else if (this.#behaviour.onHello !== undefined) this.#behaviour.onHello(call, this.#socket);
    else this.#socket.write(encodeReturn(call.serial, 's', (body) => body.string(':1.1')));
  }

  #nextCall(): ReceivedCall | undefined {
    const received = this.#received;
    if (received.length < 16) return undefined;
    const length = Math.ceil((16 + received.readUInt32LE(12)) / 8) * 8 + received.readUInt32LE(4);
    if (received.length < length) return undefined;
    this.#received = received.subarray(length);
    const reader = new WireReader(received.subarray(0, length), true, 12);
    const [fields] = reader.values('a(yv)') as [[number, string][]];
    const found = new Map(fields);
    reader.align(8);
    const args = reader.values(found.get(8) ?? '');
    return { serial: received.readUInt32LE(8), member: found.get(3) ?? '', path: found.get(1) ?? '', args };
  }
}

/** Listens at a Unix socket of its own and behaves as `behaviour` says. */
export async function startFakeBus(behaviour: BusBehaviour): Promise<FakeBus> {
  const folder = await tempFolder();
  const path = join(folder.path, 'bus');
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    const conversation = new Conversation(socket, behaviour);
    socket.on('error', () => socket.destroy());
    socket.on('data', (piece: Buffer) => conversation.take(piece));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    path,
    connections: () => sockets.length,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await folder[Symbol.asyncDispose]();
    },
  };
}
