/** Keys whose presses were sent and that are still down. */
export class PressedKeys {
  readonly #down = new Set<number>();
  #lastRelease: { keycode: number; time: number } | undefined;

  /** Whether the press is a repetition: the key is down, or the server has just released it to press it again. */
  press(keycode: number, time: number): boolean {
    const isRepeat =
      this.#down.has(keycode) || (this.#lastRelease?.keycode === keycode && this.#lastRelease.time === time);
    this.#down.add(keycode);
    return isRepeat;
  }

  /** False for a key whose press was not sent. */
  release(keycode: number, time: number): boolean {
    this.#lastRelease = { keycode, time };
    return this.#down.delete(keycode);
  }

  /** Their releases will not be seen. @returns their keycodes */
  releaseAll(): number[] {
    const keycodes = [...this.#down];
    this.#down.clear();
    return keycodes;
  }
}
