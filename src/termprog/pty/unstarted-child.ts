import type { Child, ChildListener } from './child.ts';

/** Stands where a child could not be started, in a window that stays: it says why, and has ended. */
export class UnstartedChild implements Child {
  readonly isEditing = false;
  readonly foregroundGroup = undefined;
  readonly #reason: string;
  #telling: NodeJS.Immediate | undefined;

  constructor(reason: string) {
    this.#reason = reason;
  }

  listen(listener: ChildListener): void {
    this.#telling = setImmediate(() => {
      const bytes = Buffer.from(`${this.#reason}\r\n`);
      for (let at = 0; at < bytes.length; ) at = listener.onData(bytes, at) ?? bytes.length;
      listener.onDrained({ hasMore: false });
      listener.onEnd({ exitCode: undefined, signal: undefined });
    });
  }

  write(): void {
    // Nobody reads it.
  }

  writeWhole(): void {
    // Nobody reads it.
  }

  resize(): void {
    // Nobody has the terminal open.
  }

  catchUp(): void {
    // Its only output comes by itself.
  }

  hangUp(): void {
    // Nobody is there.
  }

  close(): void {
    clearImmediate(this.#telling);
  }
}
