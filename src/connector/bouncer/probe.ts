/** The end of an answer to WHOIS; RFC 2812 §5.1. */
const END_OF_WHOIS = '318';

/** Time for which a late answer is awaited, so that it is not taken for the answer to another probe. */
const LATE_MAX_MS = 60_000;
/** Most open probes; far more than occur. */
const OPEN_MAX = 16;

interface Question {
  end: (isAnswered: boolean) => void;
  timer: NodeJS.Timeout;
}

/** Probes the IRC server itself. It answers in order, so an answer proves that it has handled all earlier lines. */
export class Probe {
  #open: Question[] = [];

  /** @param ask writes a `WHOIS` of the own nick. @returns false if no answer comes in time */
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

  /** Ends all probes without an answer, because their connection is gone. */
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
