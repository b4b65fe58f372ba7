import { type WireArgument, WireError, WireReader, type WireValue, WireWriter } from './wire.ts';

/** Type of a message. @see D-Bus specification, Message format */
const METHOD_CALL = 1;
const METHOD_RETURN = 2;
const ERROR = 3;

/** Flag that forbids the bus to start a service for our call. */
const NO_AUTO_START = 2;

const PROTOCOL_VERSION = 1;

/** Codes of the header fields used here. */
const fieldCodes = { path: 1, interface: 2, member: 3, errorName: 4, replySerial: 5, destination: 6, signature: 8 };

/** Bytes before the header fields, the length of their array included. */
const FIXED_HEADER_BYTES = 16;

/** Largest message that is read: a list of tens of thousands of units has this size. */
const MESSAGE_MAX_BYTES = 16 * 1024 * 1024;

export interface MethodCall {
  destination: string;
  path: string;
  interface: string;
  member: string;
  args: readonly WireArgument[];
}

/** The part of an incoming message a client that only asks needs; calls and signals to it are `other`. */
export type Incoming =
  | { kind: 'return'; replySerial: number; values: WireValue[] }
  | { kind: 'error'; replySerial: number; name: string; text: string }
  | { kind: 'other' };

export function encodeCall(call: MethodCall, serial: number): Buffer {
  const body = new WireWriter();
  for (const value of call.args) body.argument(value);
  const bodyBytes = body.bytes();
  const message = new WireWriter();
  for (const byte of [0x6c, METHOD_CALL, NO_AUTO_START, PROTOCOL_VERSION]) message.byte(byte);
  message.uint32(bodyBytes.length);
  message.uint32(serial);
  message.array(8, () => {
    writeField(message, fieldCodes.path, 'o', call.path);
    writeField(message, fieldCodes.interface, 's', call.interface);
    writeField(message, fieldCodes.member, 's', call.member);
    writeField(message, fieldCodes.destination, 's', call.destination);
    const signature = call.args.map((value) => (typeof value === 'string' ? 's' : 'as')).join('');
    if (signature !== '') writeField(message, fieldCodes.signature, 'g', signature);
  });
  message.align(8);
  return Buffer.concat([message.bytes(), bodyBytes]);
}

function writeField(message: WireWriter, code: number, type: 's' | 'o' | 'g', text: string): void {
  message.align(8);
  message.byte(code);
  message.signature(type);
  if (type === 'g') message.signature(text);
  else message.string(text);
}

/** @param bytes one whole message @throws WireError */
export function decodeMessage(bytes: Buffer): Incoming {
  const littleEndian = isLittleEndian(bytes);
  const reader = new WireReader(bytes, littleEndian, FIXED_HEADER_BYTES - 4);
  const [fields] = reader.values('a(yv)');
  const kind = bytes[1];
  if (kind !== METHOD_RETURN && kind !== ERROR) return { kind: 'other' };
  const found = new Map(Array.isArray(fields) ? fields.map(pairOf) : []);
  const replySerial = found.get(fieldCodes.replySerial);
  if (typeof replySerial !== 'number') throw new WireError('an answer does not say to what');
  reader.align(8);
  const values = reader.values(textOf(found.get(fieldCodes.signature)));
  if (kind === METHOD_RETURN) return { kind: 'return', replySerial, values };
  return { kind: 'error', replySerial, name: textOf(found.get(fieldCodes.errorName)), text: textOf(values[0]) };
}

function pairOf(field: WireValue): [WireValue | undefined, WireValue | undefined] {
  return Array.isArray(field) ? [field[0], field[1]] : [undefined, undefined];
}

function textOf(value: WireValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function isLittleEndian(bytes: Buffer): boolean {
  if (bytes[0] === 0x6c) return true;
  if (bytes[0] === 0x42) return false;
  throw new WireError('a message has no byte order');
}

/** Length of the message that starts here; undefined until its fixed header is complete. @throws WireError */
function messageLength(start: Buffer): number | undefined {
  if (start.length < FIXED_HEADER_BYTES) return undefined;
  const littleEndian = isLittleEndian(start);
  if (start[3] !== PROTOCOL_VERSION) throw new WireError('a message is of another protocol version');
  const at = (offset: number): number => (littleEndian ? start.readUInt32LE(offset) : start.readUInt32BE(offset));
  const headerBytes = Math.ceil((FIXED_HEADER_BYTES + at(12)) / 8) * 8;
  const length = headerBytes + at(4);
  if (length > MESSAGE_MAX_BYTES) throw new WireError(`a message is larger than ${MESSAGE_MAX_BYTES} bytes`);
  return length;
}

/** Cuts a stream of bytes into messages. */
export class MessageStream {
  #pieces: Buffer[] = [];
  #held = 0;
  #needed = FIXED_HEADER_BYTES;

  /** The messages that are complete now. @throws WireError when what comes is not a message or too large */
  push(piece: Buffer): Buffer[] {
    this.#pieces.push(piece);
    this.#held += piece.length;
    const messages: Buffer[] = [];
    while (this.#held >= this.#needed) {
      const [first = Buffer.alloc(0), ...others] = this.#pieces;
      const joined = others.length === 0 ? first : Buffer.concat(this.#pieces);
      const length = messageLength(joined);
      if (length === undefined || length > joined.length) {
        this.#hold(joined, length ?? FIXED_HEADER_BYTES);
        break;
      }
      messages.push(joined.subarray(0, length));
      this.#hold(joined.subarray(length), FIXED_HEADER_BYTES);
    }
    return messages;
  }

  #hold(rest: Buffer, needed: number): void {
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#held = rest.length;
    this.#needed = needed;
  }
}
