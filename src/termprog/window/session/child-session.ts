import type { Engine } from '../../engine/engine.ts';
import type { ShellMark } from '../../engine/shell-mark.ts';
import type { OptionPort } from '../../ports/states.ts';
import type { Child, ChildEnd, PtySize } from '../../pty/child.ts';
import type { FrameClock } from '../frame/frame-clock.ts';
import type { Viewport } from '../frame/viewport.ts';

export interface ChildSessionParts {
  child: Child;
  engine: Engine;
  clock: FrameClock;
  viewport: Viewport;
  options: OptionPort;
  warn(message: string): void;
  /** The child has written output. */
  onOutput(): void;
  /** The child has ended, and its last screen need not stay visible. */
  onOver(end: ChildEnd): void;
}

/** Passes the child's output to the screen, and handles the child's end. */
export class ChildSession {
  readonly #parts: ChildSessionParts;
  #hasEnded = false;
  #end: ChildEnd | undefined;
  /** Foreground process group at the last prompt mark. */
  #promptGroup: number | undefined;

  constructor(parts: ChildSessionParts) {
    this.#parts = parts;
    const { child } = parts;
    parts.clock.governReads({
      pause: () => child.pauseOutput(),
      catchUp: () => child.catchUp(),
      resume: () => child.resumeOutput(),
    });
    parts.options.watch(['hold'], () => this.#endUnlessHeld());
  }

  /** Starts to read output. */
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
    if (this.#hasEnded) return;
    this.#parts.child.resize(size);
    this.#parts.clock.expectAnswer();
  }

  /** Reads what the child has written so far, at most one turn's share. */
  catchUp(): void {
    if (this.#hasEnded) return;
    this.#parts.clock.expectAnswer();
    this.#parts.child.catchUp();
  }

  /** Whether a program edits the line at the cursor and redraws it after a resize. */
  get isEditing(): boolean {
    return !this.#hasEnded && this.#parts.child.isEditing;
  }

  /** A program has marked a part of its output. */
  takeShellMark({ kind }: Pick<ShellMark, 'kind'>): void {
    if (kind === 'prompt' || kind === 'continuation') this.#promptGroup = this.#parts.child.foregroundGroup;
  }

  /**
   * Whether another program than the present one marked the last prompt: a shell that ends at its prompt, or whose
   * machine became unreachable, does not mark its end.
   */
  get isPromptLeft(): boolean {
    return this.#parts.child.foregroundGroup !== this.#promptGroup;
  }

  /** Hangs up on the child and closes its terminal. */
  close(): void {
    if (!this.#hasEnded) this.#parts.child.hangUp();
    this.#hasEnded = true;
    this.#parts.child.close();
  }

  /** Writes output to the engine. Returns the index at which the consumed part ends. */
  #takeOutput(bytes: Uint8Array, start: number): number {
    const { engine, clock, viewport, options, onOutput } = this.#parts;
    onOutput();
    let end = start;
    clock.duringOutput(() => {
      end = engine.writePart(bytes, start, bytes.length);
      viewport.followOutput({ toBottom: options.get('scrollTtyOutput') });
      return end - start;
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
