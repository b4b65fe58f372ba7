/** Packets of the X Input Method Protocol 1.0: a header of four bytes, then data in units of four. All numbers are little-endian. */

/** Opcodes. X Input Method Protocol, appendix D */
export const OPCODE = {
  connect: 1,
  connectReply: 2,
  authRequired: 10,
  error: 20,
  open: 30,
  openReply: 31,
  registerTriggerKeys: 34,
  setEventMask: 37,
  encodingNegotiation: 38,
  encodingNegotiationReply: 39,
  getImValues: 44,
  getImValuesReply: 45,
  createIc: 50,
  createIcReply: 51,
  destroyIc: 52,
  setIcValues: 54,
  getIcValues: 56,
  getIcValuesReply: 57,
  setIcFocus: 58,
  unsetIcFocus: 59,
  forwardEvent: 60,
  sync: 61,
  syncReply: 62,
  commit: 63,
  preeditStart: 73,
  preeditStartReply: 74,
  preeditDraw: 75,
  preeditCaret: 76,
  preeditCaretReply: 77,
  preeditDone: 78,
} as const;

const HEADER_BYTES = 4;
const UNIT_BYTES = 4;

const padded = (length: number): number => (length + 3) & ~3;

/** Builds the data of a packet. */
export class PacketWriter {
  readonly #pieces: Buffer[] = [];
  #length = 0;

  bytes(piece: Uint8Array): this {
    this.#pieces.push(Buffer.from(piece));
    this.#length += piece.length;
    return this;
  }

  card8(value: number): this {
    return this.bytes(Uint8Array.of(value));
  }

  card16(value: number): this {
    const piece = Buffer.alloc(2);
    piece.writeUInt16LE(value & 0xffff);
    return this.bytes(piece);
  }

  card32(value: number): this {
    const piece = Buffer.alloc(4);
    piece.writeUInt32LE(value >>> 0);
    return this.bytes(piece);
  }

  /** Appends zeros up to the next unit. */
  pad(): this {
    return this.bytes(Buffer.alloc(padded(this.#length) - this.#length));
  }

  data(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  packet(opcode: number): Buffer {
    const data = this.pad().data();
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt8(opcode, 0);
    header.writeUInt16LE(data.length / UNIT_BYTES, 2);
    return Buffer.concat([header, data]);
  }
}

/** A packet is shorter than its contents or its header require. */
export class PacketError extends Error {}

/** Reads the data of a packet. @throws PacketError after its end */
export class PacketReader {
  readonly #data: Buffer;
  #at = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  get left(): number {
    return this.#data.length - this.#at;
  }

  bytes(length: number): Buffer {
    if (length > this.left) throw new PacketError(`${length} bytes are announced, and ${this.left} are there`);
    this.#at += length;
    return this.#data.subarray(this.#at - length, this.#at);
  }

  card16(): number {
    return this.bytes(2).readUInt16LE();
  }

  card32(): number {
    return this.bytes(4).readUInt32LE();
  }

  int32(): number {
    return this.bytes(4).readInt32LE();
  }

  /** Skips bytes up to the next unit; at the end of a packet they may be missing. */
  pad(): void {
    this.#at = Math.min(padded(this.#at), this.#data.length);
  }

  /** Returns a reader of the next bytes. */
  part(length: number): PacketReader {
    return new PacketReader(this.bytes(length));
  }
}

export interface Packet {
  opcode: number;
  data: Buffer;
}

/** Parses the packet at the start of the bytes. @throws PacketError when it is incomplete */
export function packetIn(bytes: Buffer): Packet {
  const reader = new PacketReader(bytes);
  const header = reader.bytes(HEADER_BYTES);
  return { opcode: header.readUInt8(0), data: reader.bytes(header.readUInt16LE(2) * UNIT_BYTES) };
}
