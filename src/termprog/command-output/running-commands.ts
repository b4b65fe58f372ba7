/** Commands that may run at once: a held key must not start hundreds of them. */
const RUNNING_MAX = 16;

/** Counts commands that were started and have not ended. */
export class RunningCommands {
  #count = 0;

  get isFull(): boolean {
    return this.#count >= RUNNING_MAX;
  }

  /** Another one runs; call what it returns when it ends, once or more often. */
  begin(): () => void {
    this.#count += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#count -= 1;
      isOver = true;
    };
  }
}
