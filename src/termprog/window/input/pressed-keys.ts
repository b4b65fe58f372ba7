/** Tracks keys whose presses were sent and that are still down. */
export class PressedKeys {
  readonly #down = new Set<number>();
  #lastRelease: { keycode: number; time: number } | undefined;

  /** Records a press. Returns whether it is a repeat: the key is down, or was released at the same server time. */
  press(keycode: number, time: number): boolean {
    const isRepeat =
      this.#down.has(keycode) || (this.#lastRelease?.keycode === keycode && this.#lastRelease.time === time);
    this.#down.add(keycode);
    return isRepeat;
  }

  /** Records a release. Returns false for a key whose press was not sent. */
  release(keycode: number, time: number): boolean {
    this.#lastRelease = { keycode, time };
    return this.#down.delete(keycode);
  }

  /**
   * Forgets all pressed keys, whose releases will not be seen.
   * @returns their keycodes
   */
  releaseAll(): number[] {
    const keycodes = [...this.#down];
    this.#down.clear();
    return keycodes;
  }
}
