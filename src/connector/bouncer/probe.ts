/** The end of an answer to WHOIS; RFC 2812 §5.1. */
const END_OF_WHOIS = '318';

/** Questions to the IRC server itself, which answers in the order of what was written. */
export class Probe {
  readonly #waiting = new Set<() => void>();

  /** @param ask writes `WHOIS` of the own nick. Resolves false when no answer comes in time */
  async answers(ask: () => void, deadlineMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isAnswered: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(onAnswer);
        resolve(isAnswered);
      };
      const onAnswer = (): void => end(true);
      const timer = setTimeout(() => end(false), deadlineMs);
      timer.unref();
      this.#waiting.add(onAnswer);
      ask();
    });
  }

  take(command: string): void {
    if (command !== END_OF_WHOIS) return;
    for (const onAnswer of this.#waiting) onAnswer();
  }
}
