import type { Child, ChildInput, ChildListener } from './child.ts';

/** Drops input, because there is no reader. */
const NO_READER: ChildInput = { write: () => {}, writeWhole: () => {} };

/**
 * Replaces a child that could not be started, in a window that stays: it writes the reason as its output, and has
 * ended.
 */
export class UnstartedChild implements Child {
  readonly input = NO_READER;
  readonly isEditing = false;
  readonly foregroundGroup = undefined;
  readonly #reason: string;
  #announcing: NodeJS.Immediate | undefined;

  constructor(reason: string) {
    this.#reason = reason;
  }

  listen(listener: ChildListener): void {
    this.#announcing = setImmediate(() => {
      const bytes = Buffer.from(`${this.#reason}\r\n`);
      for (let at = 0; at < bytes.length; ) at = listener.onData(bytes, at) ?? bytes.length;
      listener.onDrained({ hasMore: false });
      listener.onEnd({ exitCode: undefined, signal: undefined });
    });
  }

  resize(): void {
    // There is no terminal.
  }

  catchUp(): void {
    // Its only output arrives by itself.
  }

  pauseOutput(): void {
    // Its only output arrives by itself.
  }

  resumeOutput(): void {
    // Nothing was paused.
  }

  hangUp(): void {
    // There is no process.
  }

  close(): void {
    clearImmediate(this.#announcing);
  }
}
