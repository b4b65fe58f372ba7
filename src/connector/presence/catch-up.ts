import { type CaptureGap, isCoarse } from '../domain/entry.ts';
import { REPLAY_OVERLAP_MS } from '../domain/limits.ts';
import type { BouncerSession, ObservedLine, ReplayedPage } from '../ports/bouncer-session.ts';
import type { CaptureBatch, Ingested } from '../ports/capture-store.ts';
import type { Generation } from './generation.ts';
import { HeldLines } from './held-lines.ts';
import { batchOf } from './line-batch.ts';
import { OngoingFailure } from './ongoing-failure.ts';
import type { PresenceContext } from './presence-context.ts';

/** Number of lines in whole seconds that prove that the bouncer stores whole seconds only. */
const COARSE_LINES_MIN = 3;
export const COARSE_STORE =
  'the bouncer keeps whole seconds only: set "message-store db" in its configuration, else lines may be lost or doubled when they are replayed';
/** Shorter absences are not recorded as gaps. */
const GAP_MIN_MS = 1_000;

/** Progress of one channel's replay. */
interface Run {
  channel: string;
  /** The time up to which the channel was complete before. */
  syncedTo: number;
  /** First millisecond of the requested page. */
  from: number;
  /** Whether lines of the overlap are stored; then the bouncer should replay some of them. */
  expectsKnown: boolean;
  /** Number of lines of the overlap that were stored already. */
  knownCount: number;
  firstAt: number | undefined;
  isCoarse: boolean;
  /** Page that was counted last. A page comes again when storing it failed half-way. */
  counted: ReplayedPage | undefined;
  /**
   * Time at which its last page came. It stays the same when storing that fails half-way, because a gap is known by its
   * end.
   */
  endedAt: number | undefined;
}

const NOTHING_SEEN = { knownCount: 0, firstAt: undefined, isCoarse: false, counted: undefined, endedAt: undefined };

/**
 * Requests one session's missed lines, channel by channel, and stores them before live lines; each session has its own.
 * After the session's end it requests no more, but still stores the received lines.
 */
export class CatchUp {
  /** Channels that miss no lines: the next live line follows without a gap. */
  readonly #synced = new Set<string>();
  readonly #accountId: string;
  readonly #context: PresenceContext;
  readonly #generation: Generation;
  readonly #held: HeldLines;
  /** Whether live lines wait for the missed ones, in this session or in the next one. */
  #holds = true;
  readonly #refused = new OngoingFailure();
  /** Name of the network of the lines; set before the first of them comes. */
  network = '';
  #session: BouncerSession | undefined;
  #channels: readonly string[] = [];
  #waiting: string[] = [];
  #run: Run | undefined;
  #hasWarned = false;

  /** @param held of the account: what a lost session leaves there waits for the missed lines in the next one */
  constructor(accountId: string, context: PresenceContext, generation: Generation, held = new HeldLines()) {
    this.#held = held;
    this.#accountId = accountId;
    this.#context = context;
    this.#generation = generation;
  }

  /** Whether the bouncer turned out to store whole seconds only. */
  get isStoreCoarse(): boolean {
    return this.#hasWarned;
  }

  /**
   * Starts with these channels; call it in the account's turn, like all methods here.
   * ended-ok: requesting checks the session itself.
   * @throws SessionEnded
   */
  async start(session: BouncerSession, channels: readonly string[]): Promise<void> {
    this.#session = session;
    await this.follow(channels);
  }

  /**
   * Captures exactly these channels from now on.
   * ended-ok: requesting checks the session itself.
   * @throws SessionEnded
   */
  async follow(channels: readonly string[]): Promise<void> {
    this.#channels = channels;
    this.#waiting = this.#waiting.filter((channel) => channels.includes(channel));
    for (const channel of this.#synced) if (!channels.includes(channel)) this.#synced.delete(channel);
    // All at once: should a request fail, live lines of the channels after it wait, too.
    for (const channel of channels) this.#enqueue(channel);
    for (const channel of this.#held.channels()) if (!channels.includes(channel)) await this.release(channel);
    if (this.#run === undefined) await this.#next();
  }

  /**
   * Requests a channel's missed lines, unless the channel is complete or its replay is running.
   * ended-ok: the next step checks the session again.
   * @throws SessionEnded
   */
  async ask(channel: string): Promise<void> {
    this.#enqueue(channel);
    // Also for a waiting channel: after a failed request no other replay is running.
    if (this.#run === undefined) await this.#next();
  }

  #enqueue(channel: string): void {
    if (!this.#channels.includes(channel) || this.#waiting.includes(channel)) return;
    if (!this.#synced.has(channel) && this.#run?.channel !== channel) this.#waiting.push(channel);
  }

  /**
   * Stores live lines; holds those of channels whose earlier lines are still to come.
   * ended-ok: received lines are stored, also after the end.
   */
  async takeLive(lines: readonly ObservedLine[]): Promise<void> {
    // Release first: after a failure here the same lines come again, and live lines must not be stored twice.
    if (this.#held.isFull) await this.release();
    const held = lines.filter((observed) => this.#mustWait(observed));
    await this.#storeLive(lines.filter((observed) => !held.includes(observed)));
    this.#held.add(held);
  }

  /**
   * Stores all held lines, or those of one channel, because no replay is running for them.
   * ended-ok: received lines are stored, also after the end.
   */
  async release(channel?: string): Promise<void> {
    await this.#storeHeld(this.#held.of(channel));
  }

  /** Stores held lines in batches. ended-ok: received lines are stored, also after the end. */
  async #storeHeld(held: readonly ObservedLine[]): Promise<void> {
    for (let at = 0; at < held.length; ) {
      const batch = batchOf(held.slice(at));
      await this.#storeLive(batch);
      // After a failure the same event comes again, but a stored live line must not.
      this.#held.drop(batch);
      at += batch.length;
    }
  }

  /**
   * Stores all held lines, and holds no more: no session follows that would get the missed ones before.
   * ended-ok: received lines are stored, also after the end.
   */
  async holdNoMore(): Promise<void> {
    this.#holds = false;
    await this.release();
  }

  /**
   * Handles a replay that the bouncer refused; the caller plans another request.
   * ended-ok: received lines are stored, and the next step checks the session again.
   */
  async refused(channel: string): Promise<void> {
    if (this.#run?.channel !== channel) return;
    await this.release(channel);
    this.#refused.failed('', (count) => {
      this.#context.log.warn({ account: this.#accountId, count }, 'the bouncer can’t replay a channel at the moment');
    });
    await this.#next();
  }

  /** Stores a replayed page. ended-ok: a received page is stored, also after the end; then no more is requested. */
  async take(page: ReplayedPage): Promise<void> {
    const run = this.#run?.channel === page.channel ? this.#run : undefined;
    await this.#storePage(page, run);
    if (page.overfullAt !== undefined) {
      await this.#addGap(page.channel, { from: page.overfullAt, to: page.overfullAt, reason: 'too_many_at_once' });
    }
    if (run === undefined) return;
    if (page.next !== undefined && page.next > run.from) this.#ask(run, page.next);
    else await this.#end(run, page);
  }

  /** Ends a channel's replay. ended-ok: received lines are stored, and the next step checks the session again. */
  async #end(run: Run, { channel, next }: ReplayedPage): Promise<void> {
    run.endedAt ??= this.#context.clock.now();
    // The bouncer goes back in time, and its pages would never end: the lines after this page are given up.
    if (next !== undefined) {
      await this.#addGap(channel, { from: run.from, to: run.endedAt, reason: 'history_lost' });
    }
    await this.#finish(run);
  }

  /** Whether a live line must wait. Own messages need not: they complete a send, whose entry has its place already. */
  #mustWait({ line, own }: ObservedLine): boolean {
    if ((own?.isNick === true && line.kind === 'message') || this.#synced.has(line.channel)) return false;
    if (!this.#holds) return false;
    // The session was lost while it began.
    if (this.#session === undefined) return true;
    if (!this.#session.canReplay) return false;
    return this.#run?.channel === line.channel || this.#waiting.includes(line.channel);
  }

  /**
   * Stores the page, then the live lines that came while it was read; those that the page contains are then skipped. A
   * page in whole seconds is compared with stored live lines, so there the live lines go first.
   * ended-ok: received lines are stored, also after the end.
   */
  async #storePage(page: ReplayedPage, run: Run | undefined): Promise<void> {
    const { early, covered } = this.#held.settledBy(page.channel, run?.from ?? 0, page.next);
    const synced = new Set([page.channel]);
    const isCoarsePage = isCoarse(page.lines.map(({ line }) => line));
    await this.#storeHeld(isCoarsePage ? [...early, ...covered] : early);
    const { knownCount } = await this.#ingest({ lines: page.lines, isReplay: true, synced });
    if (run !== undefined && run.counted !== page) this.#count(run, page, knownCount);
    if (isCoarsePage || covered.length === 0) return;
    await this.#ingest({ lines: covered, isReplay: true, synced });
    this.#held.drop(covered);
  }

  #count(run: Run, page: ReplayedPage, knownCount: number): void {
    run.counted = page;
    // Later lines of the page may be known because it was stored before without an answer.
    const { length: earlyCount } = page.lines.filter(({ line }) => (line.serverAt ?? run.from) <= run.syncedTo);
    run.knownCount += Math.min(knownCount, earlyCount);
    run.firstAt ??= page.lines[0]?.line.serverAt;
    this.#noticeCoarse(run, page);
  }

  /**
   * Starts the next replay. It leaves the present channel only when the next one is known: after a failure of the
   * database this runs again.
   */
  async #next(): Promise<void> {
    const [channel] = this.#waiting;
    const session = this.#session;
    if (channel === undefined || session === undefined || !this.#generation.isCurrent) {
      this.#run = undefined;
      return;
    }
    const { capture } = this.#context.store;
    const syncedTo = await this.#generation.after(capture.syncedTo(this.#accountId, this.network, channel));
    const removedTo = await this.#generation.after(capture.removedTo(this.#accountId, this.network, channel));
    const from = Math.max(syncedTo - REPLAY_OVERLAP_MS, removedTo === undefined ? 0 : removedTo + 1);
    const overlap = { from, to: syncedTo };
    const expectsKnown = await this.#generation.after(
      capture.hasLines(this.#accountId, this.network, channel, overlap),
    );
    const run: Run = { channel, syncedTo, from, expectsKnown, ...NOTHING_SEEN };
    if (session.canReplay) {
      this.#waiting.shift();
      this.#run = run;
      this.#ask(run, from);
    } else {
      // The channel waits until that is stored.
      this.#run = undefined;
      await this.#generation.after(this.release(channel));
      // ended-ok: there was no await since the last check.
      await this.#finish({ ...run, expectsKnown: true });
    }
  }

  /** Requests a page, unless the session has ended: the next session starts again. */
  #ask(run: Run, from: number): void {
    run.from = from;
    if (this.#generation.isCurrent) this.#session?.replay(run.channel, from);
  }

  /**
   * Completes a channel. ended-ok: the channel was complete when its last page came, also if the session ends while
   * that is stored.
   */
  async #finish(run: Run): Promise<void> {
    const { channel, syncedTo, expectsKnown, knownCount, firstAt, isCoarse: isOfSeconds, endedAt } = run;
    const to = firstAt ?? endedAt ?? this.#context.clock.now();
    if (expectsKnown && knownCount === 0 && !isOfSeconds && to - syncedTo >= GAP_MIN_MS) {
      await this.#addGap(channel, { from: syncedTo, to, reason: 'history_lost' });
    }
    // A channel that was disabled meanwhile is not complete: it misses lines from now on.
    if (this.#channels.includes(channel)) this.#synced.add(channel);
    this.#waiting = this.#waiting.filter((other) => other !== channel);
    await this.#next();
  }

  /** Stores live lines. ended-ok: received lines are stored, also after the end. */
  async #storeLive(lines: readonly ObservedLine[]): Promise<void> {
    if (lines.length > 0) await this.#ingest({ lines, isReplay: false, synced: this.#synced });
  }

  /** Stores a batch. ended-ok: received lines are stored, also after the end. */
  async #ingest(batch: CaptureBatch): Promise<Ingested> {
    const { store, log } = this.#context;
    const ingested = await store.capture.ingest(this.#accountId, this.network, batch);
    if (ingested.refusedCount > 0) {
      const lines = ingested.refusedCount;
      log.error({ account: this.#accountId, lines }, 'the database refuses lines; a gap replaces each of them');
    }
    return ingested;
  }

  #addGap(channel: string, gap: CaptureGap): Promise<void> {
    return this.#context.store.capture.addGap(this.#accountId, this.network, channel, gap);
  }

  #noticeCoarse(run: Run, { lines }: ReplayedPage): void {
    if (lines.length < COARSE_LINES_MIN || !isCoarse(lines.map(({ line }) => line))) return;
    run.isCoarse = true;
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#context.log.warn({ account: this.#accountId }, COARSE_STORE);
  }
}
