import type { Property } from 'x11';
import type { XConnection } from '../x11/x-connection.ts';
import { TEXT_MAX_BYTES } from './answer-reader.ts';
import { propertyWrites } from './property-writer.ts';
import { cutBufferAtom, STRING } from './selection-atoms.ts';
import { latin1Of } from './text-forms.ts';

/** Most of a cut buffer that one request reads, in units of four bytes: other requests, and keys, wait meanwhile. */
const PART_UNITS = 1 << 18;

/** Most bytes in UTF-8 of a character of Latin-1. */
const UTF8_MAX = 2;

/**
 * The server's cut buffers: properties of the first screen's root window, in Latin-1; ICCCM 4.1. It owns the writes
 * that wait for the server.
 */
export class CutBuffers {
  readonly #connection: XConnection;
  /** Texts to be written when the server has processed the previous ones. */
  readonly #waiting = new Map<number, Uint8Array | undefined>();
  #isWriting = false;

  constructor(connection: XConnection) {
    this.#connection = connection;
  }

  /** Replaces a buffer's content; undefined empties it. If the server is slow, only the last of many texts is sent. */
  write(index: number, text: Uint8Array | undefined): void {
    this.#waiting.set(index, text);
    if (!this.#isWriting) this.#writeWaiting();
  }

  /** Undefined when the buffer is empty or its content is not text. */
  async read(index: number): Promise<Uint8Array | undefined> {
    if (this.#waiting.has(index)) return this.#waiting.get(index);
    let text: Buffer | undefined;
    let end = 0;
    for (let offset = 0; ; offset += PART_UNITS) {
      const answer = this.#connection.ask<Property>('a cut buffer', (client, reply) =>
        client.GetProperty(0, this.#root, cutBufferAtom(index), 0, offset, PART_UNITS, reply),
      );
      this.#connection.flush();
      const { data, type, format, bytesAfter } = await answer;
      if (type !== STRING || format !== 8 || data.length === 0) return undefined;
      if (4 * offset + data.length + bytesAfter > TEXT_MAX_BYTES) return undefined;
      text ??= Buffer.allocUnsafe(UTF8_MAX * (data.length + bytesAfter));
      // Another program may have written a longer text meanwhile.
      if (end + UTF8_MAX * data.length > text.length) return undefined;
      end += text.write(data.toString('latin1'), end, 'utf8');
      if (bytesAfter === 0) return text.subarray(0, end);
    }
  }

  /** Sends the waiting texts, because buffers outlive this program. */
  close(): void {
    this.#sendWaiting();
  }

  #writeWaiting(): void {
    this.#sendWaiting();
    this.#isWriting = true;
    this.#connection.fence(() => {
      this.#isWriting = false;
      if (this.#waiting.size > 0) this.#writeWaiting();
    });
  }

  #sendWaiting(): void {
    for (const [index, text] of this.#waiting) {
      const bytes = text === undefined ? new Uint8Array() : latin1Of(text);
      for (const write of propertyWrites(this.#root, cutBufferAtom(index), STRING, bytes))
        write(this.#connection.client);
    }
    this.#waiting.clear();
  }

  get #root(): number {
    const { client, screen } = this.#connection;
    return client.display.screen[0]?.root ?? screen.root;
  }
}
