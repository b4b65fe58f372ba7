import { messageOf } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/log.ts';
import { outsideOfRequest } from '../../database-time.ts';
import { pause } from '../../pause.ts';
import type { NoticeServer, NoticeSession } from '../connect/postgres-notices.ts';
import { type Notice, noticeOf, payloadsOf } from './notice.ts';

/** Interval of heartbeats on the connection. */
const BEAT_MS = 2_000;
/** Wait before the connection is opened again after a failure; each further one is twice as long. */
const REOPEN_MS = 500;
const REOPEN_MAX_MS = 8_000;
/** Interval of attempts where a pooler keeps notices away. */
const POOLED_MS = 60_000;
/** Longest time for a notice of another connection to arrive. */
const ARRIVAL_DEADLINE_MS = 3_000;

/** The connection was answered, and hears no notices. */
class Deaf extends Error {}

export interface NoticeLineOptions {
  server: NoticeServer;
  processId: string;
  /** Called with what another process has published. */
  heard(notice: Exclude<Notice, 'beat'>): void;
  /** Called when notices are heard again: some may have been missed before. */
  missed(): void;
  log: Logger;
}

/**
 * Keeps a connection that hears what other processes publish, and publishes by it. A connection that has ended or is
 * silent is found by heartbeats within seconds, and replaced. Notices make other processes faster; whatever depends on
 * them is complete without them.
 */
export class NoticeLine {
  readonly #options: NoticeLineOptions;
  /** Ends the keeping; undefined while the line is closed. */
  #ends: AbortController | undefined;
  #kept: Promise<void> = Promise.resolve();
  #session: NoticeSession | undefined;
  #hasWarned = false;
  /** When a notice was heard last, or the line was opened. */
  #heardAt = 0;
  /** Called when a heartbeat of this process arrives. */
  #beatArrived: () => void = () => undefined;

  constructor(options: NoticeLineOptions) {
    this.#options = options;
  }

  /** Milliseconds since this process has heard a notice, at least each heartbeat of its own; undefined while it is closed. */
  get heardAgeMs(): number | undefined {
    return this.#ends === undefined ? undefined : performance.now() - this.#heardAt;
  }

  /** Whether notices are heard and published at the moment. */
  get isUp(): boolean {
    return this.#session !== undefined;
  }

  /** Opens the line, if it is not open. */
  open(): void {
    if (this.#ends !== undefined) return;
    const ends = new AbortController();
    this.#ends = ends;
    this.#heardAt = performance.now();
    const before = this.#kept;
    this.#kept = outsideOfRequest(() => before.then(() => this.#keep(ends.signal)));
  }

  /** Closes the line; it may be opened again. */
  async close(): Promise<void> {
    this.#ends?.abort();
    this.#ends = undefined;
    await this.#kept;
  }

  /** Publishes a notice. @throws Error when the line is down, or goes down by this */
  async publish(notice: Notice): Promise<void> {
    const session = this.#session;
    const payloads = payloadsOf(this.#options.processId, notice);
    if (payloads.length === 0) return;
    if (session === undefined) throw new Error('notices can’t be published now');
    await outsideOfRequest(() => session.publish(payloads));
  }

  async #keep(ends: AbortSignal): Promise<void> {
    let waitMs = REOPEN_MS;
    while (!ends.aborted) {
      try {
        await this.#live(ends, () => {
          waitMs = REOPEN_MS;
        });
      } catch (error) {
        if (ends.aborted) return;
        this.#warn(error);
        const isDeaf = error instanceof Deaf;
        await pause(isDeaf ? POOLED_MS : waitMs, ends);
        waitMs = Math.min(2 * waitMs, REOPEN_MAX_MS);
      }
    }
  }

  /** Reports the first failure since notices were heard. */
  #warn(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const { log } = this.#options;
    if (error instanceof Deaf) {
      log.warn(
        'the connection to the database hears no notices of other processes, as behind a pooler in transaction mode: what they change is known here half a second later',
      );
      return;
    }
    log.warn(
      { reason: messageOf(error) },
      'the connection for notices of other processes has failed, and is opened again: until then what they change is known here half a second later',
    );
  }

  /** Opens one connection and keeps it until it fails. @param works is called when it hears notices */
  async #live(ends: AbortSignal, works: () => void): Promise<void> {
    const { server, processId, missed } = this.#options;
    const ended = new AbortController();
    const session = await server.openNotices(
      processId,
      (payload) => this.#heard(payload),
      () => ended.abort(),
    );
    try {
      const over = AbortSignal.any([ends, ended.signal]);
      await this.#requireArrival(() => server.publishOnce(processId, beatOf(processId)), over);
      this.#session = session;
      this.#hasWarned = false;
      works();
      missed();
      while (await pause(BEAT_MS, over)) {
        await this.#requireArrival(() => session.publish([beatOf(processId)]), over);
      }
      if (!ends.aborted) throw new Error('the connection has ended');
    } finally {
      this.#session = undefined;
      await session.close();
    }
  }

  /** Sends a heartbeat, and waits until this process hears it. @throws Deaf if it is sent and not heard in time */
  async #requireArrival(send: () => Promise<void>, over: AbortSignal): Promise<void> {
    const heard = new AbortController();
    this.#beatArrived = () => heard.abort();
    await send();
    const isLate = await pause(ARRIVAL_DEADLINE_MS, AbortSignal.any([over, heard.signal]));
    if (isLate) throw new Deaf('a heartbeat was published, and not heard');
  }

  #heard(payload: string): void {
    const { processId: own, heard } = this.#options;
    this.#heardAt = performance.now();
    const { processId, notice } = noticeOf(payload) ?? {};
    if (processId === own && notice === 'beat') this.#beatArrived();
    if (processId !== own && notice !== undefined && notice !== 'beat') heard(notice);
  }
}

const beatOf = (processId: string): string => payloadsOf(processId, 'beat')[0] ?? '';
