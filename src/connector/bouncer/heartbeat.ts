/** Interval of pings to the bouncer, and time without an answer after which its reports are uncertain. */
const PING_INTERVAL_MS = 10_000;
const PING_DEADLINE_MS = 5_000;
/** Silence in spite of pings after which the bouncer counts as gone. */
const SILENCE_MAX_MS = 60_000;
/**
 * Most probes in a row that the IRC server may leave unanswered. The bouncer itself notices a hanging connection only
 * after minutes.
 */
const PROBE_MISSES_MAX = 2;
const LOOK_MS = 1_000;

export interface HeartbeatEvents {
  ping(): void;
  /** Probes whether the IRC server answers in time. */
  probe(deadlineMs: number): Promise<boolean>;
  /** Called when the bouncer is gone. */
  onDead(): void;
  /** Called when the IRC server has left several probes in a row unanswered. */
  onHung(): void;
  /** Called when the reported state of the network becomes certain or uncertain. */
  onCertaintyChanged(): void;
}

/** Detects a bouncer, or a server behind it, that is connected but hangs; TCP alone reports that after minutes. */
export class Heartbeat {
  readonly #events: HeartbeatEvents;
  readonly #probeIntervalMs: number;
  #timer: NodeJS.Timeout | undefined;
  #heardAt = 0;
  #networkHeardAt = 0;
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

  /** False if the bouncer has not answered a ping in time. */
  get isAnswering(): boolean {
    return this.#pingedAt <= this.#heardAt || performance.now() - this.#pingedAt <= PING_DEADLINE_MS;
  }

  /** False if the bouncer or the server behind it has not answered in time. */
  get isCertain(): boolean {
    return this.isAnswering && this.#misses < PROBE_MISSES_MAX;
  }

  /** Resets the misses for the bouncer's new connection to the server. */
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

  /** Pauses the check: while we do not read, silence proves no fault of the bouncer. */
  set isPaused(isPaused: boolean) {
    this.#isPaused = isPaused;
    this.#pausedAt = performance.now();
    this.heard();
  }

  heard(): void {
    this.#heardAt = performance.now();
  }

  /**
   * Notes what other people do on the network: its server is alive, also if its answer to a probe waits behind thousands of
   * lines, or one that counted as hung sends what it owes.
   */
  networkHeard(): void {
    this.#networkHeardAt = performance.now();
    this.#misses = 0;
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
    // A probe from before the last reconnect does not concern the present connection.
    if (this.#probedAt !== now) return;
    if (!isAnswered && (this.#isPaused || this.#pausedAt >= now || this.#networkHeardAt >= now)) return;
    this.#misses = isAnswered ? 0 : this.#misses + 1;
    if (this.#misses >= PROBE_MISSES_MAX) this.#events.onHung();
  }
}
