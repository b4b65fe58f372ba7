import type { Logger } from '../../../kernel/log.ts';
import type { Subject } from '../../ports/invalidations.ts';
import type { NoticeServer } from '../connect/postgres-notices.ts';
import type { SharedInvalidations } from '../shared-invalidations.ts';
import { isPublished, type Notice } from './notice.ts';
import { NoticeLine } from './notice-line.ts';

/** Shortest interval of publications. What changes meanwhile is published together. */
const INTERVAL_MS = 50;
/** Most changes that one publication names; if there are more, it names none, and others forget everything. */
const SUBJECTS_MAX = 1_000;
/** Shortest interval at which what is heard is applied. */
const HEARD_INTERVAL_MS = 20;

export interface NoticesOptions {
  server: NoticeServer;
  processId: string;
  invalidations: SharedInvalidations;
  log: Logger;
}

/**
 * Publishes what this process changes to other processes on the same database, and applies what they publish. It does
 * so only while others are at work. Changes are published after they are stored, outside of their transactions: a
 * notice within one would make all transactions of the server wait for each other.
 */
export class Notices {
  readonly #line: NoticeLine;
  readonly #heard: HeardNotices;
  #subjects = new Map<string, Subject>();
  #hasMore = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ server, processId, invalidations, log }: NoticesOptions) {
    this.#heard = new HeardNotices(invalidations);
    this.#line = new NoticeLine({
      ...{ server, processId, log },
      heard: (notice) => this.#heard.take(notice),
      missed: () => invalidations.missed(),
    });
    invalidations.publishTo((subject) => this.#add(subject));
  }

  /** Whether others hear what this process changes, as far as it knows. */
  get isUp(): boolean {
    return this.#line.isUp;
  }

  /** Milliseconds since a notice was heard; undefined while there is no other process to hear of. */
  get heardAgeMs(): number | undefined {
    return this.#line.heardAgeMs;
  }

  /** @param hasPeers whether other processes are at work on the database */
  follow(hasPeers: boolean): void {
    if (hasPeers) this.#line.open();
    else void this.#line.close();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#heard.close();
    await this.#line.close();
  }

  #add(subject: Subject): void {
    if (!this.#line.isUp || !isPublished(subject)) return;
    if (this.#subjects.size < SUBJECTS_MAX) this.#subjects.set(subject.join(' '), subject);
    else this.#hasMore = true;
    // The first change after a pause is published at once, together with the others of the same transaction.
    this.#timer ??= setTimeout(() => void this.#publish(), 0).unref();
  }

  async #publish(): Promise<void> {
    const subjects = [...this.#subjects.values()];
    const notice: Notice = this.#hasMore ? 'all' : { subjects };
    this.#subjects = new Map();
    this.#hasMore = false;
    // A failure closes the connection's session at its next heartbeat. Others know of the changes half a second later.
    await this.#line.publish(notice).catch(() => undefined);
    const next = setTimeout(() => {
      this.#timer = undefined;
      if (this.#subjects.size > 0) this.#timer = setTimeout(() => void this.#publish(), 0).unref();
    }, INTERVAL_MS).unref();
    this.#timer = next;
  }
}

/**
 * Applies what other processes publish: what comes after a pause at once, the rest together a moment later. Each role that
 * may connect to the database can publish thousands of notices a second, and each would wake the workers.
 */
class HeardNotices {
  readonly #invalidations: SharedInvalidations;
  #subjects = new Map<string, Subject>();
  #hasMore = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(invalidations: SharedInvalidations) {
    this.#invalidations = invalidations;
  }

  take(notice: Exclude<Notice, 'beat'>): void {
    if (notice === 'all') this.#hasMore = true;
    else for (const subject of notice.subjects) this.#note(subject);
    if (this.#timer === undefined) this.#apply();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #note(subject: Subject): void {
    if (this.#subjects.size < SUBJECTS_MAX) this.#subjects.set(subject.join(' '), subject);
    else this.#hasMore = true;
  }

  #apply(): void {
    const [subjects, isAll] = [[...this.#subjects.values()], this.#hasMore];
    this.#subjects = new Map();
    this.#hasMore = false;
    if (isAll) this.#invalidations.missed();
    else for (const [topic, key] of subjects) this.#invalidations.heard(topic, key);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#hasMore || this.#subjects.size > 0) this.#apply();
    }, HEARD_INTERVAL_MS).unref();
  }
}
