/** The module is loaded with the first compressed answer, because it would cost 3 ms of each start. */
const zlib = () => process.getBuiltinModule('node:zlib');

/** Higher levels gain little on some kilobytes of text; this one costs a third of the default level. */
const DEFLATE_LEVEL = 1;

/** Magic, deflate, no flags, no time, no extra flags, unknown system. @see RFC 1952 §2.3 */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/**
 * A text that is encoded once and sent many times, each time with another short tail.
 * The body is compressed on first demand; the tail follows it in a stored block, so that one gzip member holds both.
 */
export class EncodedText {
  readonly #body: string;
  #bodyLength = 0;
  #deflated: Buffer | undefined;
  #bodyCrc = 0;

  constructor(body: string) {
    this.#body = body;
  }

  /** Returns a string, because Node writes a string together with the headers, without a buffer between. */
  plain(tail = ''): string {
    return this.#body + tail;
  }

  /** @param tail at most 65535 bytes, the bound of a stored block */
  gzip(tail = ''): Buffer {
    const { crc32 } = zlib();
    const end = Buffer.from(tail);
    this.#deflated ??= this.#deflate();
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(end, this.#bodyCrc), 0);
    trailer.writeUInt32LE((this.#bodyLength + end.length) % 2 ** 32, 4);
    return Buffer.concat([GZIP_HEADER, this.#deflated, storedBlockHeader(end.length), end, trailer]);
  }

  /** Ends on a byte boundary without the mark of a last block. */
  #deflate(): Buffer {
    const { constants, crc32, deflateRawSync } = zlib();
    const body = Buffer.from(this.#body);
    this.#bodyLength = body.length;
    this.#bodyCrc = crc32(body);
    return deflateRawSync(body, { level: DEFLATE_LEVEL, finishFlush: constants.Z_SYNC_FLUSH });
  }
}

/** Header of the last block, uncompressed. @see RFC 1951 §3.2.4 */
function storedBlockHeader(length: number): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt8(1, 0);
  header.writeUInt16LE(length, 1);
  header.writeUInt16LE(length ^ 0xffff, 3);
  return header;
}
