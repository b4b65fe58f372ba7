import type { Property } from 'x11';
import type { XConnection } from '../x11/connection.ts';
import { propertyWrites } from './property-writer.ts';
import { cutBufferAtom, STRING } from './selection-atoms.ts';
import { latin1Of, utf8OfLatin1 } from './text-forms.ts';

/** Most that is read of a cut buffer, in units of four bytes. */
const READ_MAX_UNITS = 1 << 20;

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
    const answer = this.#connection.ask<Property>('a cut buffer', (client, reply) =>
      client.GetProperty(0, this.#root, cutBufferAtom(index), 0, 0, READ_MAX_UNITS, reply),
    );
    this.#connection.flush();
    const { data, type, format, bytesAfter } = await answer;
    const isText = type === STRING && format === 8 && bytesAfter === 0;
    return isText && data.length > 0 ? utf8OfLatin1(data) : undefined;
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
