import { dirname, isAbsolute, join } from 'node:path';
import { decodeBytes } from './decode-bytes.ts';

/** How deep `#include` may nest. */
const DEPTH_MAX = 100;

/** Files, and bytes of them, that one text may include in all; far above what anybody writes. */
const FILES_MAX = 1_000;
const BYTES_MAX = 16 * 1_024 * 1_024;

/** More problems with one text are not told. */
const REPORTS_MAX = 10;

/** Why a file that nobody can see is not read. */
export const NO_FILE = 'there is no such file, or none that can be read';

/** A file in place of its `#include` line. */
export interface IncludedFile {
  path: string;
  /** Gives its text to `parse`; meanwhile the file is open, and can't be included again. */
  read<T>(parse: (bytes: string) => T): T;
}

/** Where a text comes from, and what is done about the files that it includes. */
export interface TextOrigin {
  /** The file; names in its `#include` lines are relative to its folder, those of other texts to the working directory. */
  file?: string;
  /** Content of a file as latin1, undefined when there is none that can be read; tells why what is there can't. */
  read?(file: string, tell: (obstacle: string) => void): string | undefined;
  /** Is told of each file that can't be included. */
  report?(problem: string): void;
}

/** The files that one text includes. */
export class Inclusion {
  readonly #text: TextOrigin;
  /** Files under way, outermost first. */
  readonly #open: string[] = [];
  #files = 0;
  #bytes = 0;
  #reports = 0;

  constructor(text: TextOrigin) {
    this.#text = text;
    if (text.file !== undefined) this.#open.push(text.file);
  }

  /** The file of a directive; undefined for another directive, and for a file that can't be included, which is reported. */
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
