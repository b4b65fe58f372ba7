import type { Engine } from '../engine/engine.ts';
import type { OptionPort } from '../ports/options.ts';
import type { Pty, PtySize } from '../pty/pty.ts';
import type { FrameClock } from './frame-clock.ts';
import type { Viewport } from './viewport.ts';

export interface SessionParts {
  pty: Pty;
  engine: Engine;
  clock: FrameClock;
  viewport: Viewport;
  options: OptionPort;
  warn(message: string): void;
  /** The child has ended, and its last screen need not stay visible. */
  onOver(): void;
}

/** The child's output on its way to the screen, and its end. */
export class ChildSession {
  readonly #parts: SessionParts;
  #hasEnded = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    parts.options.watch(['hold'], () => this.#endUnlessHeld());
  }

  /** Output comes from now on. */
  start(): void {
    const { pty, clock, warn } = this.#parts;
    pty.listen({
      onData: (bytes) => this.#takeOutput(bytes),
      onDrained: (state) => clock.readsEnded(state),
      onInputDropped: (bytes) =>
        warn(`${bytes} bytes of input are dropped: the program does not read what waits for it`),
      onEnd: () => this.#takeEnd(),
    });
  }

  resize(size: PtySize): void {
    if (!this.#hasEnded) this.#parts.pty.resize(size);
  }

  /** Hangs up and gives up the terminal. */
  close(): void {
    if (!this.#hasEnded) this.#parts.pty.hangUp();
    this.#hasEnded = true;
    this.#parts.pty.close();
  }

  #takeOutput(bytes: Uint8Array): void {
    const { engine, clock, viewport, options } = this.#parts;
    clock.duringOutput(() => {
      engine.write(bytes);
      viewport.followOutput({ toBottom: options.get('scrollTtyOutput') });
    });
  }

  #takeEnd(): void {
    this.#hasEnded = true;
    this.#parts.clock.readsEnded({ hasMore: false });
    this.#endUnlessHeld();
  }

  /** @spec termprog#states-and-transitions */
  #endUnlessHeld(): void {
    if (this.#hasEnded && !this.#parts.options.get('hold')) this.#parts.onOver();
  }
}
