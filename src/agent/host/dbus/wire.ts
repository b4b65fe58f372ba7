/** A D-Bus peer sent bytes that are not D-Bus, or a message that is too large; the connection can't be used further. */
export class WireError extends Error {}

/** A decoded value: structs and dictionary entries are arrays, a variant is its content. */
export type WireValue = string | number | bigint | boolean | WireValue[];

/** An argument of a method call: `s` or `as`. */
export type WireArgument = string | readonly string[];

/** Deepest nesting of containers by the specification: 32 arrays and 32 structs. */
const DEPTH_MAX = 64;

/** Type code -> boundary its values start at. @see D-Bus specification, Summary of D-Bus marshalling */
const alignments: Record<string, number> = {
  ...{ y: 1, g: 1, v: 1, n: 2, q: 2, b: 4, i: 4, u: 4, s: 4, o: 4, h: 4, a: 4 },
  ...{ x: 8, t: 8, d: 8, '(': 8, '{': 8 },
};

const aligned = (offset: number, boundary: number): number => Math.ceil(offset / boundary) * boundary;

/** Writes values little-endian, each aligned from the start of the buffer. */
export class WireWriter {
  #buffer = Buffer.alloc(512);
  #length = 0;

  /** Copy of all bytes written so far. */
  bytes(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#length));
  }

  align(boundary: number): void {
    this.#reserve(aligned(this.#length, boundary) - this.#length);
  }

  byte(value: number): void {
    const start = this.#reserve(1);
    this.#buffer.writeUInt8(value, start);
  }

  uint32(value: number): void {
    this.align(4);
    const start = this.#reserve(4);
    this.#buffer.writeUInt32LE(value, start);
  }

  /** Writes a value of type `s` or `o`. */
  string(text: string): void {
    const length = Buffer.byteLength(text);
    this.uint32(length);
    const start = this.#reserve(length + 1);
    this.#buffer.write(text, start);
  }

  signature(text: string): void {
    this.byte(text.length);
    const start = this.#reserve(text.length + 1);
    this.#buffer.write(text, start);
  }

  /** Writes an array; `writeItems` writes its items. */
  array(boundary: number, writeItems: () => void): void {
    this.align(4);
    const lengthAt = this.#reserve(4);
    this.align(boundary);
    const start = this.#length;
    writeItems();
    this.#buffer.writeUInt32LE(this.#length - start, lengthAt);
  }

  argument(value: WireArgument): void {
    if (typeof value === 'string') this.string(value);
    else
      this.array(4, () => {
        for (const text of value) this.string(text);
      });
  }

  /** Reserves zeroed bytes and returns their offset. It may replace the buffer. */
  #reserve(count: number): number {
    const start = this.#length;
    this.#length += count;
    if (this.#length > this.#buffer.length) {
      const larger = Buffer.alloc(this.#length * 2);
      this.#buffer.copy(larger);
      this.#buffer = larger;
    }
    return start;
  }
}

/** Reads values of either byte order; a length that exceeds the buffer is an error. */
export class WireReader {
  readonly #buffer: Buffer;
  readonly #view: DataView;
  readonly #littleEndian: boolean;
  #offset: number;
  #depth = 0;

  constructor(buffer: Buffer, littleEndian: boolean, offset = 0) {
    this.#buffer = buffer;
    this.#view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    this.#littleEndian = littleEndian;
    this.#offset = offset;
  }

  get offset(): number {
    return this.#offset;
  }

  align(boundary: number): void {
    this.#take(aligned(this.#offset, boundary) - this.#offset);
  }

  /** One value for each complete type of the signature. @throws WireError */
  values(signature: string): WireValue[] {
    const values: WireValue[] = [];
    for (let at = 0; at < signature.length; ) {
      const end = typeEnd(signature, at, 0);
      values.push(this.#value(signature.slice(at, end)));
      at = end;
    }
    return values;
  }

  #value(type: string): WireValue {
    const code = type[0] ?? '';
    this.align(alignments[code] ?? 1);
    switch (code) {
      case 's':
      case 'o':
        return this.#text(this.#view.getUint32(this.#take(4), this.#littleEndian));
      case 'g':
        return this.#text(this.#view.getUint8(this.#take(1)));
      case 'v':
        return this.#nested(() => this.#variant());
      case 'a':
        return this.#nested(() => this.#array(type.slice(1)));
      case '(':
      case '{':
        return this.#nested(() => this.values(type.slice(1, -1)));
      default:
        return this.#number(code);
    }
  }

  #number(code: string): number | bigint | boolean {
    const [view, little] = [this.#view, this.#littleEndian];
    switch (code) {
      case 'y':
        return view.getUint8(this.#take(1));
      case 'b':
        return view.getUint32(this.#take(4), little) !== 0;
      case 'n':
        return view.getInt16(this.#take(2), little);
      case 'q':
        return view.getUint16(this.#take(2), little);
      case 'i':
        return view.getInt32(this.#take(4), little);
      case 'u':
      case 'h':
        return view.getUint32(this.#take(4), little);
      case 'x':
        return view.getBigInt64(this.#take(8), little);
      case 't':
        return view.getBigUint64(this.#take(8), little);
      default:
        return view.getFloat64(this.#take(8), little);
    }
  }

  #text(length: number): string {
    const start = this.#take(length + 1);
    if (this.#buffer[start + length] !== 0) throw new WireError('a string does not end where it says');
    return this.#buffer.toString('utf8', start, start + length);
  }

  #variant(): WireValue {
    const signature = String(this.#value('g'));
    const values = this.values(signature);
    if (values.length !== 1 || values[0] === undefined) throw new WireError('a variant has not one value');
    return values[0];
  }

  #array(type: string): WireValue[] {
    const length = this.#view.getUint32(this.#take(4), this.#littleEndian);
    this.align(alignments[type[0] ?? ''] ?? 1);
    const end = this.#offset + length;
    if (end > this.#buffer.length) throw new WireError('an array is longer than its message');
    const values: WireValue[] = [];
    while (this.#offset < end) values.push(this.#value(type));
    if (this.#offset > end) throw new WireError('an array does not end where it says');
    return values;
  }

  #nested<T>(read: () => T): T {
    if (this.#depth >= DEPTH_MAX) throw new WireError('containers are nested too deep');
    this.#depth += 1;
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #take(count: number): number {
    const start = this.#offset;
    if (start + count > this.#buffer.length) throw new WireError('a value is longer than its message');
    this.#offset = start + count;
    return start;
  }
}

/** End of the complete type that starts at `at`. @throws WireError */
function typeEnd(signature: string, at: number, depth: number): number {
  const code = signature[at] ?? '';
  if (!(code in alignments) || depth > DEPTH_MAX) throw new WireError('a signature names an unknown type');
  if (code === 'a') return typeEnd(signature, at + 1, depth + 1);
  if (code !== '(' && code !== '{') return at + 1;
  const close = code === '(' ? ')' : '}';
  let end = at + 1;
  // An empty struct takes no room: an array of them would never end.
  do end = typeEnd(signature, end, depth + 1);
  while (signature[end] !== close);
  return end + 1;
}
