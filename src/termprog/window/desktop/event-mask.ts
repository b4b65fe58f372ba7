import type { XConnection } from '../../x11/x-connection.ts';

/** Pointer motion without a held button; X11 protocol, SETofEVENT. */
export const POINTER_MOTION_MASK = 1 << 6;

/**
 * The events of a window that the server sends: those of its creation, plus those that parts of the program need for a
 * while.
 */
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

  /**
   * Sets the events that one part of the program needs from now on; 0 removes its needs.
   * @param part its name
   */
  need(part: string, events: number): void {
    this.#needs.set(part, events);
    if (this.#isChangePlanned) return;
    this.#isChangePlanned = true;
    // An application may change its mind often in one piece of output; the server gets one request.
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
