import type { Property } from 'x11';
import type { XConnection } from '../x11/connection.ts';
import { TEXT_MAX_BYTES } from './answer-reader.ts';
import { propertyWrites } from './property-writer.ts';
import { cutBufferAtom, STRING } from './selection-atoms.ts';
import { latin1Of, utf8OfLatin1 } from './text-forms.ts';

/** Read of a cut buffer at once, in units of four bytes. */
const PART_UNITS = 1 << 20;

/** The server's cut buffers: properties of the first screen's root window, in Latin-1; ICCCM 4.1. */
export class CutBuffers {
  readonly #connection: XConnection;
  /** What is to be written when the server has taken the text before. */
  readonly #waiting = new Map<number, Uint8Array | undefined>();
  #isWriting = false;

  constructor(connection: XConnection) {
    this.#connection = connection;
  }

  /** Replaces what a buffer holds; undefined empties it. Of many texts while the server is slow, only the last is sent. */
  write(index: number, text: Uint8Array | undefined): void {
    this.#waiting.set(index, text);
    if (!this.#isWriting) this.#writeWaiting();
  }

  /** Undefined when the buffer is empty or holds something else than text. */
  async read(index: number): Promise<Uint8Array | undefined> {
    if (this.#waiting.has(index)) return this.#waiting.get(index);
    const parts: Buffer[] = [];
    for (let offset = 0; 4 * offset < TEXT_MAX_BYTES; offset += PART_UNITS) {
      const answer = this.#connection.ask<Property>('a cut buffer', (client, reply) =>
        client.GetProperty(0, this.#root, cutBufferAtom(index), 0, offset, PART_UNITS, reply),
      );
      this.#connection.flush();
      const { data, type, format, bytesAfter } = await answer;
      if (type !== STRING || format !== 8 || data.length === 0) return undefined;
      parts.push(data);
      if (bytesAfter === 0) return utf8OfLatin1(Buffer.concat(parts));
    }
    return undefined;
  }

  /** Sends what waits: buffers outlive this program. */
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
