import type { Writable } from 'node:stream';
import { systemCodeOf } from './errors.ts';

/** A standard stream of a command. A pipe takes what is printed only as fast as its reader reads. */
export class Printed {
  readonly #stream: Writable;
  #failure: Error | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
    // Without a listener a failed write would end the process.
    stream.on('error', (error) => {
      this.#failure ??= error;
    });
  }

  /**
   * Resolves when everything printed is written, with the error if that failed; a reader that closed the pipe is no
   * error.
   */
  async written(): Promise<Error | undefined> {
    const { promise, resolve } = Promise.withResolvers<Error | null | undefined>();
    // An empty write: its callback comes after those of all earlier writes.
    this.#stream.write('', resolve);
    const failure = (await promise) ?? this.#failure;
    return systemCodeOf(failure) === 'EPIPE' ? undefined : failure;
  }
}
