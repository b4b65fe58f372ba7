import { closeSync, openSync, readSync } from 'node:fs';
import { systemCodeOf } from '../../kernel/errors.ts';
import { UnreadableSourceError } from '../errors.ts';
import { READ_WITHOUT_WAITING } from './read-later.ts';

/** Size that most files of /proc fit into; the buffer grows for larger ones. */
const FIRST_BUFFER_BYTES = 64 * 1024;

/** Largest buffer that is kept for the next file; a larger one is released. */
const KEPT_BUFFER_MAX_BYTES = 1024 * 1024;

/** Largest file that is read; no real source is larger: mountinfo has some 100 bytes a mount. */
export const SOURCE_MAX_BYTES = 32 * 1024 * 1024;

/** Most files of /proc that are kept open; a report reads some ten. */
const KEPT_MAX = 64;

/** Error codes for no free descriptor, in this process or on the machine. */
const EXHAUSTED_CODES: readonly (string | undefined)[] = ['EMFILE', 'ENFILE'];

/** Errors of a kept descriptor whose file has gone or changed hands: worth one new open. */
const STALE_CODES: readonly (string | undefined)[] = ['EIO', 'ENODEV', 'ENOENT', 'ESRCH', 'ESTALE'];

/**
 * Reads whole files on the calling thread, each byte as one character (latin1), so that names in other encodings lose
 * no byte. Synchronous on purpose: the kernel makes these files up in memory, and the thread pool may be full of hung
 * file system calls.
 */
export class FileReader {
  readonly #keepOpen: boolean;
  #keptMax: number;
  readonly #kept = new Map<string, number>();
  #buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES);

  /** @param keepOpen keep descriptors between reads; only for /proc, whose files are made anew at each read from offset 0 @param keptMax descriptors that are kept at most */
  constructor(keepOpen: boolean, keptMax: number = KEPT_MAX) {
    this.#keepOpen = keepOpen;
    this.#keptMax = keptMax;
  }

  /** @param isOneRecord the kernel gives all of it to one read with room for it @throws UnreadableSourceError */
  read(path: string, isOneRecord = false): string {
    try {
      const kept = this.#kept.get(path);
      return kept === undefined ? this.#readFresh(path, isOneRecord) : this.#readKept(path, kept, isOneRecord);
    } catch (error) {
      throw new UnreadableSourceError(path, error);
    } finally {
      if (this.#buffer.length > KEPT_BUFFER_MAX_BYTES) this.#buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES);
    }
  }

  /** Closes the kept descriptors of all other paths. */
  keepOnly(isWanted: (path: string) => boolean): void {
    for (const path of [...this.#kept.keys()]) {
      if (!isWanted(path)) this.#forget(path);
    }
  }

  close(): void {
    for (const path of [...this.#kept.keys()]) this.#forget(path);
  }

  #readKept(path: string, descriptor: number, isOneRecord: boolean): string {
    try {
      return this.#readAll(descriptor, isOneRecord);
    } catch (error) {
      this.#forget(path);
      if (!STALE_CODES.includes(systemCodeOf(error))) throw error;
      return this.#readFresh(path, isOneRecord);
    }
  }

  #readFresh(path: string, isOneRecord: boolean): string {
    const descriptor = this.#open(path);
    let keep = false;
    try {
      const text = this.#readAll(descriptor, isOneRecord);
      keep = this.#keepOpen && this.#kept.size < this.#keptMax;
      return text;
    } finally {
      if (keep) this.#kept.set(path, descriptor);
      else closeSync(descriptor);
    }
  }

  /**
   * Opens a file. If the process has no descriptor left, it closes all kept ones and from then on keeps at most half as
   * many.
   */
  #open(path: string): number {
    try {
      return openSync(path, READ_WITHOUT_WAITING);
    } catch (error) {
      if (!EXHAUSTED_CODES.includes(systemCodeOf(error)) || this.#kept.size === 0) throw error;
      this.#keptMax = Math.floor(this.#kept.size / 2);
      this.close();
      return openSync(path, READ_WITHOUT_WAITING);
    }
  }

  /** Reads until the end is confirmed: one read of /proc may return less than there is, unless it is one record. */
  #readAll(descriptor: number, isOneRecord: boolean): string {
    let length = 0;
    for (;;) {
      if (length === this.#buffer.length) this.#grow(length);
      const count = readSync(descriptor, this.#buffer, length, this.#buffer.length - length, length);
      if (count === 0) return this.#buffer.toString('latin1', 0, length);
      length += count;
      if (isOneRecord && length < this.#buffer.length) return this.#buffer.toString('latin1', 0, length);
    }
  }

  #grow(length: number): void {
    if (length >= SOURCE_MAX_BYTES) throw new Error(`larger than ${SOURCE_MAX_BYTES} bytes`);
    const larger = Buffer.allocUnsafe(length * 2);
    this.#buffer.copy(larger, 0, 0, length);
    this.#buffer = larger;
  }

  #forget(path: string): void {
    const descriptor = this.#kept.get(path);
    this.#kept.delete(path);
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
