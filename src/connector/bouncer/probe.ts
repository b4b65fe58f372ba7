/** The end of an answer to WHOIS; RFC 2812 §5.1. */
const END_OF_WHOIS = '318';

/** A late answer is still awaited after the deadline, so that it is not taken for the answer to another question. */
const LATE_MAX_MS = 60_000;
/** Questions that may be open at once; far more than are ever asked. */
const OPEN_MAX = 16;

interface Question {
  end: (isAnswered: boolean) => void;
  timer: NodeJS.Timeout;
}

/** Asks the IRC server itself. It answers in order, so an answer proves that it has dealt with everything before. */
export class Probe {
  #open: Question[] = [];

  /** @param ask writes `WHOIS` of the own nick. Resolves false when no answer comes in time */
  answers(ask: () => void, deadlineMs: number): Promise<boolean> {
    if (this.#open.length >= OPEN_MAX) return Promise.resolve(false);
    return new Promise((resolve) => {
      const question: Question = { end: resolve, timer: setTimeout(() => this.#late(question), deadlineMs).unref() };
      this.#open.push(question);
      ask();
    });
  }

  take(command: string): void {
    if (command !== END_OF_WHOIS) return;
    const [oldest] = this.#open;
    if (oldest !== undefined) this.#close(oldest, true);
  }

  /** The connection that carried the questions is gone: they end without an answer. */
  reset(): void {
    for (const question of this.#open) this.#close(question, false);
  }

  #late(question: Question): void {
    question.end(false);
    question.timer = setTimeout(() => this.#close(question, false), LATE_MAX_MS).unref();
  }

  #close(question: Question, isAnswered: boolean): void {
    clearTimeout(question.timer);
    this.#open = this.#open.filter((other) => other !== question);
    question.end(isAnswered);
  }
}
