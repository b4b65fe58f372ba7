import { dirname, isAbsolute, join } from 'node:path';
import { decodeBytes } from './decode-bytes.ts';

/** Deepest nesting of `#include`. */
const DEPTH_MAX = 100;

/** Most files, and bytes, that one text may include in total; far more than people write. */
const FILES_MAX = 1_000;
const BYTES_MAX = 16 * 1_024 * 1_024;

/** Most reported problems of one text. */
const REPORTS_MAX = 10;

/** Reason for skipping a missing or unreadable file. */
export const NO_FILE = 'there is no such file, or none that can be read';

/** A file that replaces its `#include` line. */
export interface IncludedFile {
  path: string;
  /** Passes its text to `parse`; meanwhile the file is open, and can't be included again. */
  read<T>(parse: (bytes: string) => T): T;
}

/** Source of a text, and the handling of its included files. */
export interface TextOrigin {
  /**
   * The file; names in its `#include` lines are relative to its folder, those of other texts to the working directory.
   */
  file?: string;
  /**
   * Returns the content of a file as latin1; undefined if it is missing or unreadable; in the latter case `fail` gets
   * the reason.
   */
  read?(file: string, fail: (obstacle: string) => void): string | undefined;
  /** Called for each file that can't be included. */
  report?(problem: string): void;
}

/** Tracks and bounds the files that one text includes. */
export class Inclusion {
  readonly #text: TextOrigin;
  /** Files being read, outermost first. */
  readonly #open: string[] = [];
  #files = 0;
  #bytes = 0;
  #reports = 0;

  constructor(text: TextOrigin) {
    this.#text = text;
    if (text.file !== undefined) this.#open.push(text.file);
  }

  /**
   * Returns the file of a directive; undefined for another directive, and for a file that can't be included, which is
   * reported.
   */
  include(directive: string, within: string | undefined): IncludedFile | undefined {
    const file = /^#[ \t]*include[ \t]*"([^"]+)"/.exec(directive)?.[1];
    if (file === undefined) return undefined;
    const name = decodeBytes(file);
    const path = isAbsolute(name) || within === undefined ? name : join(dirname(within), name);
    if (this.#open.includes(path)) return this.#refuse(path, 'the file is included within itself');
    if (this.#open.length >= DEPTH_MAX) return this.#refuse(path, `inclusions nest at most ${DEPTH_MAX} deep`);
    if (this.#files >= FILES_MAX || this.#bytes > BYTES_MAX) {
      return this.#refuse(path, `in all at most ${FILES_MAX} files of ${BYTES_MAX} bytes are included`);
    }
    this.#files += 1;
    let reason = NO_FILE;
    const bytes = this.#text.read?.(path, (obstacle) => {
      reason = obstacle;
    });
    if (bytes === undefined) return this.#refuse(path, reason);
    this.#bytes += bytes.length;
    return {
      path,
      read: (parse) => {
        this.#open.push(path);
        try {
          return parse(bytes);
        } finally {
          this.#open.pop();
        }
      },
    };
  }

  #refuse(path: string, reason: string): undefined {
    this.#reports += 1;
    if (this.#reports <= REPORTS_MAX) this.#text.report?.(`#include "${path}" has no effect: ${reason}`);
    return undefined;
  }
}
