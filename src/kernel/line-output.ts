import type { Writable } from 'node:stream';

/** Bytes that are buffered for a reader that does not keep up: some thousand lines. */
const HELD_MAX_BYTES = 256 * 1024;

/**
 * Writes lines for a reader that may stall, as a journal on a full disk, or go away. The program never waits for it:
 * lines beyond the buffer are dropped, and a line with their number follows once it reads again. The log relies on it.
 */
export class LineOutput {
  readonly #output: Writable;
  readonly #lossLine: (count: number) => string;
  #lost = 0;

  /**
   * @param output a pipe or socket writes without waiting; files and terminals at once
   * @param lossLine what to write in place of lines that were lost
   */
  constructor(output: Writable, lossLine: (count: number) => string) {
    this.#output = output;
    this.#lossLine = lossLine;
    // Without this listener a reader that has gone would end the service; with it only its lines are lost.
    output.on('error', () => undefined);
    output.on('drain', () => this.#reportLoss());
  }

  /** @param line with its line break */
  write(line: string): void {
    if (this.#output.writableLength + line.length > HELD_MAX_BYTES) {
      this.#lost += 1;
      return;
    }
    this.#reportLoss();
    this.#writeCounted(line, 1);
  }

  /** Calls back when every line is written or lost: with a reader that stalls, never. */
  flush(done: () => void): void {
    this.#reportLoss();
    this.#output.write('', () => done());
  }

  #reportLoss(): void {
    if (this.#lost === 0) return;
    const count = this.#lost;
    this.#lost = 0;
    this.#writeCounted(this.#lossLine(count), count);
  }

  /** @param count lines that are lost when this one can't be written */
  #writeCounted(line: string, count: number): void {
    this.#output.write(line, (error) => {
      if (error) this.#lost += count;
    });
  }
}
