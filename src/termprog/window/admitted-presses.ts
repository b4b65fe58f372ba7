import type { WireEvent } from 'x11';

/** Presses, and the releases that belong to them. */
const KINDS: Readonly<Record<string, { what: 'key' | 'button'; isPress: boolean }>> = {
  KeyPress: { what: 'key', isPress: true },
  KeyRelease: { what: 'key', isPress: false },
  ButtonPress: { what: 'button', isPress: true },
  ButtonRelease: { what: 'button', isPress: false },
};

/** Which releases belong to presses that were let in: those are let in even where there is no room, and no others. */
export class AdmittedPresses {
  readonly #down = new Set<string>();
  readonly #refused = new Set<string>();

  /** Whether an event is let in. @param hasRoom for another one */
  admits({ name = '', keycode }: WireEvent, hasRoom: boolean): boolean {
    const kind = KINDS[name];
    if (kind === undefined) return hasRoom;
    const code = `${kind.what} ${keycode}`;
    if (kind.isPress) {
      (hasRoom ? this.#down : this.#refused).add(code);
      if (hasRoom) this.#refused.delete(code);
      return hasRoom;
    }
    const isRefused = this.#refused.delete(code);
    return this.#down.delete(code) || (hasRoom && !isRefused);
  }
}
