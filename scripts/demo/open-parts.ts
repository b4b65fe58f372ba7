/**
 * The parts that were opened; `close` ends them in reverse order. The demo ends through it, also in the middle of its
 * start.
 */
export class OpenParts {
  readonly #closers: (() => Promise<void>)[] = [];
  #ended = false;

  /** @throws Error after the first `close`, so that the start stops; the next `close` ends this part too */
  add(close: () => Promise<void>): void {
    this.#closers.push(close);
    if (this.#ended) throw new Error('a part was opened while all parts end');
  }

  async close(): Promise<void> {
    this.#ended = true;
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) await close();
  }
}
