/** Most commands that run at once: a held key must not start hundreds of them. */
const RUNNING_MAX = 16;

/** Counts the running commands. */
export class RunningCommands {
  #count = 0;

  get isFull(): boolean {
    return this.#count >= RUNNING_MAX;
  }

  /** Counts another command; the returned function must be called when it ends, and may be called again. */
  begin(): () => void {
    this.#count += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#count -= 1;
      isOver = true;
    };
  }
}
