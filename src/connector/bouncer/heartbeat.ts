/** How often the bouncer is asked whether it lives, and how long it may take before nothing is certain any more. */
const PING_INTERVAL_MS = 10_000;
const PING_DEADLINE_MS = 5_000;
/** A bouncer that says nothing for this long, although asked, is gone. */
const SILENCE_MAX_MS = 60_000;
/** How often the IRC server behind it is asked; of a connection that hangs the bouncer knows nothing for minutes. */
const PROBE_INTERVAL_MS = 60_000;
const PROBE_MISSES_MAX = 2;
const LOOK_MS = 1_000;

export interface HeartbeatEvents {
  ping(): void;
  /** Whether the IRC server answers in time. */
  probe(deadlineMs: number): Promise<boolean>;
  /** The bouncer is gone. */
  onDead(): void;
}

/** Notices what TCP does not tell for minutes: a bouncer or a server behind it that is there and does nothing. */
export class Heartbeat {
  readonly #events: HeartbeatEvents;
  #timer: NodeJS.Timeout | undefined;
  #heardAt = 0;
  #pingedAt = 0;
  #probedAt = 0;
  #misses = 0;
  #isPaused = false;

  constructor(events: HeartbeatEvents) {
    this.#events = events;
  }

  /** False where it has been asked and has not answered in time. */
  get isCertain(): boolean {
    const isBouncerLate = this.#pingedAt > this.#heardAt && performance.now() - this.#pingedAt > PING_DEADLINE_MS;
    return !isBouncerLate && this.#misses < PROBE_MISSES_MAX;
  }

  start(): void {
    this.#heardAt = performance.now();
    this.#probedAt = this.#heardAt;
    this.#timer = setInterval(() => this.#look(performance.now()), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** While we do not read, silence says nothing about the bouncer. */
  set isPaused(isPaused: boolean) {
    this.#isPaused = isPaused;
    this.heard();
  }

  heard(): void {
    this.#heardAt = performance.now();
  }

  #look(now: number): void {
    if (this.#isPaused) return;
    if (now - this.#heardAt > SILENCE_MAX_MS) {
      this.stop();
      this.#events.onDead();
      return;
    }
    if (now - Math.max(this.#pingedAt, this.#heardAt) > PING_INTERVAL_MS) {
      this.#pingedAt = now;
      this.#events.ping();
    }
    if (now - this.#probedAt > PROBE_INTERVAL_MS) void this.#probe(now);
  }

  async #probe(now: number): Promise<void> {
    this.#probedAt = now;
    this.#misses = (await this.#events.probe(PROBE_INTERVAL_MS / 2)) ? 0 : this.#misses + 1;
  }
}
