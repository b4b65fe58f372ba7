import type { Engine } from '../engine/engine.ts';
import type { ShellMark } from '../engine/shell-mark.ts';
import type { OptionPort } from '../ports/options.ts';
import type { Child, ChildEnd, PtySize } from '../pty/child.ts';
import type { FrameClock } from './frame-clock.ts';
import type { Viewport } from './viewport.ts';

export interface SessionParts {
  child: Child;
  engine: Engine;
  clock: FrameClock;
  viewport: Viewport;
  options: OptionPort;
  warn(message: string): void;
  /** The child has written something. */
  onOutput(): void;
  /** The child has ended, and its last screen need not stay visible. */
  onOver(end: ChildEnd): void;
}

/** The child's output on its way to the screen, and its end. */
export class ChildSession {
  readonly #parts: SessionParts;
  #hasEnded = false;
  #end: ChildEnd | undefined;
  /** Who was in the foreground when the last prompt was marked. */
  #promptGroup: number | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    parts.options.watch(['hold'], () => this.#endUnlessHeld());
  }

  /** Output comes from now on. */
  start(): void {
    const { child, clock, warn } = this.#parts;
    child.listen({
      onData: (bytes, start) => this.#takeOutput(bytes, start),
      onDrained: (state) => clock.readsEnded(state),
      onInputDropped: (bytes) =>
        warn(`${bytes} bytes of input are dropped: the program does not read what waits for it`),
      onEnd: (end) => this.#takeEnd(end),
    });
  }

  resize(size: PtySize): void {
    if (!this.#hasEnded) this.#parts.child.resize(size);
  }

  /** Takes what the child has written until now, at most a turn's share. */
  catchUp(): void {
    if (!this.#hasEnded) this.#parts.child.catchUp();
  }

  /** Whether a program edits the line at the cursor, and draws it again after a resize. */
  get isEditing(): boolean {
    return !this.#hasEnded && this.#parts.child.isEditing;
  }

  /** A program has marked something. */
  takeShellMark({ kind }: Pick<ShellMark, 'kind'>): void {
    if (kind === 'prompt' || kind === 'continuation') this.#promptGroup = this.#parts.child.foregroundGroup;
  }

  /**
   * Whether the last prompt was marked by another program than the one that is there now: a shell that ends at its prompt,
   * or whose machine is no longer reached, does not mark its end.
   */
  get isPromptLeft(): boolean {
    return this.#parts.child.foregroundGroup !== this.#promptGroup;
  }

  /** Hangs up and gives up the terminal. */
  close(): void {
    if (!this.#hasEnded) this.#parts.child.hangUp();
    this.#hasEnded = true;
    this.#parts.child.close();
  }

  /** Gives where the part ends that was taken. */
  #takeOutput(bytes: Uint8Array, start: number): number {
    const { engine, clock, viewport, options, onOutput } = this.#parts;
    onOutput();
    let end = start;
    clock.duringOutput(() => {
      end = engine.writePart(bytes, start, bytes.length);
      viewport.followOutput({ toBottom: options.get('scrollTtyOutput') });
    });
    return end;
  }

  #takeEnd(end: ChildEnd): void {
    this.#hasEnded = true;
    this.#end = end;
    this.#parts.clock.readsEnded({ hasMore: false });
    this.#endUnlessHeld();
  }

  /** @spec termprog#states-and-transitions */
  #endUnlessHeld(): void {
    if (this.#end !== undefined && !this.#parts.options.get('hold')) this.#parts.onOver(this.#end);
  }
}
