import type { WireEvent } from 'x11';

/** Presses, and the releases that belong to them. */
const KINDS: Readonly<Record<string, { what: 'key' | 'button'; isPress: boolean }>> = {
  KeyPress: { what: 'key', isPress: true },
  KeyRelease: { what: 'key', isPress: false },
  ButtonPress: { what: 'button', isPress: true },
  ButtonRelease: { what: 'button', isPress: false },
};

/** Bit that separates button codes from key codes, which have eight bits. */
const BUTTON = 0x100;

/**
 * Pairs releases with presses for a full queue: the release of an admitted press is always admitted, that of a refused
 * press is not.
 */
export class AdmittedPresses {
  readonly #down = new Set<number>();
  readonly #refused = new Set<number>();

  /**
   * Whether an event is admitted.
   * @param hasRoom whether the queue has room for another event
   */
  admits({ name = '', keycode }: WireEvent, hasRoom: boolean): boolean {
    const kind = KINDS[name];
    if (kind === undefined) return hasRoom;
    const code = kind.what === 'key' ? keycode : BUTTON | keycode;
    if (kind.isPress) {
      (hasRoom ? this.#down : this.#refused).add(code);
      if (hasRoom) this.#refused.delete(code);
      return hasRoom;
    }
    const isRefused = this.#refused.delete(code);
    return this.#down.delete(code) || (hasRoom && !isRefused);
  }
}
