import type { CaptureGap } from '../domain/entry.ts';
import { REPLAY_OVERLAP_MS } from '../domain/limits.ts';
import type { BouncerSession, ReplayedPage } from '../ports/bouncer-session.ts';
import type { ServiceContext } from './context.ts';

/** A bouncer that keeps whole seconds shows it in this many lines without doubt. */
const COARSE_LINES_MIN = 3;
const COARSE_MS = 1_000;
/** Less than this is no absence worth telling. */
const GAP_MIN_MS = 1_000;

interface Run {
  channel: string;
  /** Up to when the channel was known before. */
  syncedTo: number;
  /** Whether lines of the overlap are stored, some of which the bouncer should tell again. */
  expectsKnown: boolean;
  knownCount: number;
  firstAt: number | undefined;
  isCoarse: boolean;
}

/** Asks one session for what was missed, channel after channel; made anew for each session. */
export class CatchUp {
  /** Channels of which nothing is missing any more: what comes next follows without a gap. */
  readonly synced = new Set<string>();
  readonly #accountId: string;
  readonly #context: ServiceContext;
  #session: BouncerSession | undefined;
  #waiting: string[] = [];
  #run: Run | undefined;
  #hasWarned = false;

  constructor(accountId: string, context: ServiceContext) {
    this.#accountId = accountId;
    this.#context = context;
  }

  /** Begins with these channels; call in the account's queue, like all here. */
  async start(session: BouncerSession, channels: readonly string[]): Promise<void> {
    this.#session = session;
    await this.add(channels);
  }

  async add(channels: readonly string[]): Promise<void> {
    this.#waiting.push(...channels.filter((channel) => !this.synced.has(channel)));
    if (this.#run === undefined) await this.#next();
  }

  /** The bouncer would not tell; returns whether it should be asked again. */
  async refused(channel: string): Promise<void> {
    if (this.#run?.channel !== channel) return;
    this.#run = undefined;
    this.#context.log.warn({ account: this.#accountId }, 'the bouncer can’t replay a channel at the moment');
    await this.#next();
  }

  async take(page: ReplayedPage): Promise<void> {
    const { store, settings } = this.#context;
    const run = this.#run;
    const { channel, lines } = page;
    const synced = new Set([channel]);
    const batch = { lines, isReplay: true, synced };
    const { knownCount } = await store.capture.ingest(this.#accountId, settings.network.name, batch);
    if (page.overfullAt !== undefined) {
      await this.#addGap(channel, { from: page.overfullAt, to: page.overfullAt, reason: 'too_many_at_once' });
    }
    if (run?.channel !== channel) return;
    run.knownCount += knownCount;
    run.firstAt ??= lines[0]?.line.serverAt;
    this.#noticeCoarse(run, page);
    if (page.next === undefined) await this.#finish(run);
    else this.#ask(channel, page.next);
  }

  stop(): void {
    this.#session = undefined;
    this.#waiting = [];
  }

  async #next(): Promise<void> {
    const channel = this.#waiting.shift();
    this.#run = undefined;
    if (channel === undefined || this.#session === undefined) return;
    const { capture } = this.#context.store;
    const syncedTo = await capture.syncedTo(this.#accountId, channel);
    const from = syncedTo - REPLAY_OVERLAP_MS;
    const expectsKnown = await capture.hasLines(this.#accountId, channel, from, syncedTo);
    this.#run = { channel, syncedTo, expectsKnown, knownCount: 0, firstAt: undefined, isCoarse: false };
    if (this.#session.canReplay) this.#ask(channel, from);
    else await this.#finish({ ...this.#run, expectsKnown: true });
  }

  /** A connection that ended meanwhile is followed by another one, which asks anew. */
  #ask(channel: string, from: number): void {
    this.#session?.replay(channel, from);
  }

  async #finish({ channel, syncedTo, expectsKnown, knownCount, firstAt, isCoarse }: Run): Promise<void> {
    const to = firstAt ?? this.#context.clock.now();
    if (expectsKnown && knownCount === 0 && !isCoarse && to - syncedTo >= GAP_MIN_MS) {
      await this.#addGap(channel, { from: syncedTo, to, reason: 'history_lost' });
    }
    this.synced.add(channel);
    await this.#next();
  }

  #addGap(channel: string, gap: CaptureGap): Promise<void> {
    const { store, settings } = this.#context;
    return store.capture.addGap(this.#accountId, settings.network.name, channel, gap);
  }

  #noticeCoarse(run: Run, { lines }: ReplayedPage): void {
    const isCoarse =
      lines.length >= COARSE_LINES_MIN &&
      lines.every(({ line }) => !line.isExact && line.serverAt !== undefined && line.serverAt % COARSE_MS === 0);
    if (!isCoarse) return;
    run.isCoarse = true;
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#context.log.warn(
      { account: this.#accountId },
      'the bouncer keeps whole seconds only: set "message-store db" in its configuration, else lines may be lost or doubled when they are replayed',
    );
  }
}
