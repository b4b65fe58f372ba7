/** How often the bouncer is asked whether it lives, and how long it may take before nothing is certain any more. */
const PING_INTERVAL_MS = 10_000;
const PING_DEADLINE_MS = 5_000;
/** A bouncer that says nothing for this long, although asked, is gone. */
const SILENCE_MAX_MS = 60_000;
/** Probes in a row that the IRC server may leave unanswered. The bouncer itself notices a hanging connection only after minutes. */
const PROBE_MISSES_MAX = 2;
const LOOK_MS = 1_000;

export interface HeartbeatEvents {
  ping(): void;
  /** Whether the IRC server answers in time. */
  probe(deadlineMs: number): Promise<boolean>;
  /** The bouncer is gone. */
  onDead(): void;
  /** The IRC server has left several probes in a row unanswered. */
  onHung(): void;
  /** What is said of the network has become certain, or is so no longer. */
  onCertaintyChanged(): void;
}

/** Notices a bouncer, or a server behind it, that is connected but does nothing; TCP alone reports that after minutes. */
export class Heartbeat {
  readonly #events: HeartbeatEvents;
  readonly #probeIntervalMs: number;
  #timer: NodeJS.Timeout | undefined;
  #heardAt = 0;
  #pingedAt = 0;
  #probedAt = 0;
  #misses = 0;
  #isPaused = false;
  #pausedAt = 0;
  #wasCertain = true;

  constructor(events: HeartbeatEvents, probeIntervalMs: number) {
    this.#events = events;
    this.#probeIntervalMs = probeIntervalMs;
  }

  /** False where the bouncer has been asked and has not answered in time. */
  get isAnswering(): boolean {
    return this.#pingedAt <= this.#heardAt || performance.now() - this.#pingedAt <= PING_DEADLINE_MS;
  }

  /** False where the bouncer or the server behind it has been asked and has not answered in time. */
  get isCertain(): boolean {
    return this.isAnswering && this.#misses < PROBE_MISSES_MAX;
  }

  /** The bouncer has a new connection to the server behind it. */
  reconnected(): void {
    this.#misses = 0;
    this.#probedAt = performance.now();
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
    this.#pausedAt = performance.now();
    this.heard();
  }

  heard(): void {
    this.#heardAt = performance.now();
  }

  #look(now: number): void {
    if (this.isCertain !== this.#wasCertain) {
      this.#wasCertain = this.isCertain;
      this.#events.onCertaintyChanged();
    }
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
    if (now - this.#probedAt > this.#probeIntervalMs) void this.#probe(now);
  }

  async #probe(now: number): Promise<void> {
    this.#probedAt = now;
    const isAnswered = await this.#events.probe(this.#probeIntervalMs / 2);
    // A probe from before the last reconnect says nothing about the present connection.
    if (this.#probedAt !== now) return;
    if (!isAnswered && (this.#isPaused || this.#pausedAt >= now)) return;
    this.#misses = isAnswered ? 0 : this.#misses + 1;
    if (this.#misses >= PROBE_MISSES_MAX) this.#events.onHung();
  }
}
