import type { XConnection } from '../x11/connection.ts';

/** Motions of the pointer without a button held; X11 protocol, SETofEVENT. */
export const POINTER_MOTION_MASK = 1 << 6;

/** Which events of a window the server sends: those of its creation, and those that parts need for a while. */
export class EventMask {
  readonly #connection: XConnection;
  readonly #window: number;
  readonly #base: number;
  readonly #needs = new Map<string, number>();
  #asked: number;
  #isChangePlanned = false;

  /** @param base the mask that the window was created with */
  constructor({ connection, window, base }: { connection: XConnection; window: number; base: number }) {
    this.#connection = connection;
    this.#window = window;
    this.#base = base;
    this.#asked = base;
  }

  /** What one part of the program needs from now on; 0 for nothing. @param part its name */
  need(part: string, events: number): void {
    this.#needs.set(part, events);
    if (this.#isChangePlanned) return;
    this.#isChangePlanned = true;
    // However often an application changes its mind in one piece of output, the server is asked once.
    queueMicrotask(() => this.#ask());
  }

  #ask(): void {
    this.#isChangePlanned = false;
    const mask = [...this.#needs.values()].reduce((all, each) => all | each, this.#base);
    if (mask === this.#asked || !this.#connection.isOpen) return;
    this.#asked = mask;
    this.#connection.client.ChangeWindowAttributes(this.#window, { eventMask: mask });
    this.#connection.flush();
  }
}
