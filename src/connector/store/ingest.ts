import { USUAL_CASEMAPPING } from '../domain/casemapping.ts';
import { type CapturedLine, isCoarse } from '../domain/entry.ts';
import { eventTime, isOfLongAgo, wasRemoved } from '../domain/event-time.ts';
import { foldText } from '../domain/fold.ts';
import type { ObservedLine, OwnLine } from '../ports/bouncer-session.ts';
import type { CaptureBatch, Ingested } from '../ports/capture-store.ts';
import type { PlacedEntry } from '../ports/history-store.ts';
import { newId } from '../random.ts';
import { gapBeforeJoin, insertGap } from './capture-gap.ts';
import type { Database } from './database.ts';
import { awaitedSenders, findEchoed, mistakenEcho, settleEcho } from './echoes.ts';
import type { EntryRow } from './entries.ts';
import { placedEntryOf } from './history-range.ts';
import type { PartRow } from './parts.ts';
import { react } from './reactions.ts';
import { isRefusal } from './refusal.ts';
import type { BorderOf } from './retention-borders.ts';
import { groupsOf, ROWS_AT_ONCE } from './rows-at-once.ts';
import type { NickInUse, Stored } from './stored.ts';

/** Precision of the bouncer's store: whole seconds. */
const COARSE_MS = 1_000;

/** Live line without an id → its number. If storing seems to fail, the line gets the same one again. */
export type GivenNumbers = WeakMap<CapturedLine, number>;

export interface IngestTarget {
  accountId: string;
  network: string;
  now: number;
  /** Inserts each row on its own, so that a refused row does not stop the others. */
  isCareful: boolean;
  given: GivenNumbers;
  /** Collects a further subject to invalidate once the transaction is committed. */
  invalidate: Stored['invalidate'];
  /** Channel → time up to which its lines were removed: replays must not bring them back. */
  borderOf: BorderOf;
}

/** Columns that are null for a captured line. */
const NEITHER_SENT_NOR_GAP = { message_id: null, gap_from: null, gap_to: null, gap_reason: null } as const;

interface NewRow extends EntryRow {
  account_id: string;
  fingerprint: string;
  text_folded: string;
}

/** A line of the batch with its number among equal ones. */
interface NumberedLine {
  observed: ObservedLine;
  number: number;
  fingerprint: string;
}

interface OwnLineTaken {
  line: CapturedLine;
  own: OwnLine;
  /** See `wasRemoved`. */
  isRemoved: boolean;
}

/** Stores one batch within a transaction. Lines keep their order; stored ones are skipped. */
export class Ingest {
  readonly #database: Database;
  readonly #target: IngestTarget;
  readonly #entries: PlacedEntry[] = [];
  readonly #gaps: PlacedEntry[] = [];
  /** Entry → nick that was in use when its line came. */
  readonly #nicks = new Map<string, NickInUse>();
  /** Base → number of its lines in the replayed page so far. */
  readonly #counts = new Map<string, number>();
  /** Base → next number, for bases with a live line in this batch. */
  readonly #nextNumbers = new Map<string, number>();
  /** Base → number of its lines that were stored in its second before this page. */
  readonly #storedInSecond = new Map<string, number>();
  /** Fingerprints that are stored: of own lines before this batch, and of all lines of this batch so far. */
  readonly #stored = new Set<string>();
  #isReplay = false;
  /** Own lines of the batch after the present one. */
  #ownLater: ObservedLine[] = [];
  #waiting: NewRow[] = [];
  #knownCount = 0;
  #echoedCount = 0;
  #refusedCount = 0;

  constructor(database: Database, target: IngestTarget) {
    this.#database = database;
    this.#target = target;
  }

  async run({ lines: observed, isReplay }: CaptureBatch): Promise<Ingested> {
    this.#isReplay = isReplay;
    const lines = await this.#withoutForeignTags(observed);
    this.#ownLater = lines.filter(isOwnUntagged);
    if (!isReplay) await this.#findNumbers(lines);
    const numbered = lines.map((each) => this.#numbered(each));
    await this.#findStored(numbered);
    const isCoarsePage = isReplay && isCoarse(lines.map(({ line }) => line));
    for (const each of numbered) {
      if (this.#ownLater[0] === each.observed) this.#ownLater.shift();
      if (isCoarsePage && (await this.#isKnownBySecond(each.observed.line, each.number))) this.#knownCount += 1;
      else await this.#take(each);
    }
    await this.#flush();
    await this.#react();
    const [knownCount, echoedCount, refusedCount] = [this.#knownCount, this.#echoedCount, this.#refusedCount];
    return { entries: this.#entries, knownCount, echoedCount, refusedCount };
  }

  async #react(): Promise<void> {
    const { accountId, network, now, invalidate } = this.#target;
    const entries = [...this.#entries, ...this.#gaps].sort((a, b) => a.row - b.row);
    await react({ transaction: this.#database, accountId, network, now, entries, nicks: this.#nicks, invalidate });
  }

  async #take({ observed, fingerprint }: NumberedLine): Promise<void> {
    const { line, own, nick, casemapping = USUAL_CASEMAPPING } = observed;
    const isRemoved = this.#wasRemoved(line);
    if (own !== undefined && (await this.#takeOwn({ line, own, isRemoved }, fingerprint))) return;
    if (isRemoved) {
      this.#knownCount += 1;
      return;
    }
    const row = this.#rowOf(line, fingerprint);
    if (nick !== undefined) this.#nicks.set(row.entry_id, { nick, casemapping });
    this.#stored.add(fingerprint);
    this.#waiting.push(row);
    if (this.#waiting.length >= ROWS_AT_ONCE) await this.#flush();
  }

  /**
   * Whether the line was removed before. A live line may have the time of a clock that went back, but not by this much.
   */
  #wasRemoved({ channel, serverAt }: CapturedLine): boolean {
    const { borderOf, now } = this.#target;
    return (this.#isReplay || isOfLongAgo(serverAt, now)) && wasRemoved(serverAt, borderOf(channel), now);
  }

  /** Returns true if the line needs no entry of its own. */
  async #takeOwn({ line, own, isRemoved }: OwnLineTaken, fingerprint: string): Promise<boolean> {
    if (this.#stored.has(fingerprint)) {
      this.#knownCount += 1;
      return true;
    }
    if (own.isJoin && !isRemoved) {
      // The gap is between the lines before it and the join.
      await this.#flush();
      this.#gaps.push(...(await gapBeforeJoin(this.#database, this.#target, line)));
    }
    if (line.kind !== 'message') return false;
    const { accountId, network, now } = this.#target;
    const part = await findEchoed(this.#database, {
      accountId,
      network,
      now,
      line,
      own,
      isRemoved,
      isReplay: this.#isReplay,
      laterTexts: this.#ownLater.filter((later) => later.line.channel === line.channel).map((later) => later.line.text),
    });
    if (part === undefined) return false;
    const mistaken = own.tag === undefined ? undefined : mistakenEcho(part, line, fingerprint);
    if (part.echoed_at === null || mistaken !== undefined) await this.#settle(part, line, { fingerprint, own });
    if (mistaken !== undefined && part.fingerprint !== null)
      this.#waiting.push(this.#rowOf(mistaken, part.fingerprint));
    return true;
  }

  async #settle(
    part: PartRow,
    line: CapturedLine,
    { fingerprint, own }: { fingerprint: string; own: OwnLine },
  ): Promise<void> {
    await this.#flush();
    this.#stored.add(fingerprint);
    if (line.isExact && part.echoed_at === null) this.#echoedCount += 1;
    await settleEcho(this.#database, part, {
      fingerprint,
      serverAt: line.serverAt,
      observedAt: this.#target.now,
      text: line.text,
      network: this.#target.network,
      isSure: own.tag !== undefined,
      // Only the server gives ids: an echo without one is the bouncer's own, made before the server answers.
      isPreliminary: !line.isExact,
    });
  }

  /** Numbers a line among equal ones: a replayed line within its page, a live one without an id after the stored lines. */
  #numbered(observed: ObservedLine): NumberedLine {
    const { line } = observed;
    const number = this.#isReplay ? this.#indexOf(line) : line.isExact ? 0 : this.#nextOf(line);
    return {
      observed,
      number,
      fingerprint: line.isExact ? exactFingerprint(line) : `${line.fingerprintBase}#${number}`,
    };
  }

  #indexOf(line: CapturedLine): number {
    const n = this.#counts.get(line.fingerprintBase) ?? 0;
    this.#counts.set(line.fingerprintBase, n + 1);
    return n;
  }

  #nextOf(line: CapturedLine): number {
    const { given } = this.#target;
    const number = given.get(line) ?? this.#nextNumbers.get(line.fingerprintBase) ?? 0;
    given.set(line, number);
    this.#nextNumbers.set(line.fingerprintBase, number + 1);
    return number;
  }

  /**
   * Finds the next numbers of live lines without an id by doubling and halving, for all of them at once: a flood of equal
   * lines would take quadratic time, and each statement keeps the account, and other accounts' lines, waiting.
   */
  async #findNumbers(lines: readonly ObservedLine[]): Promise<void> {
    const unnumbered = lines.filter(({ line }) => !line.isExact && !this.#target.given.has(line));
    const bases = new Set(unnumbered.map(({ line }) => line.fingerprintBase));
    let searches = [...bases].map((base) => new NumberSearch(base));
    while (searches.length > 0) {
      const stored = await this.#storedAmong(searches.map(({ asked }) => asked));
      for (const search of searches) search.answered(stored.has(search.asked));
      for (const { base, found } of searches) if (found !== undefined) this.#nextNumbers.set(base, found);
      searches = searches.filter(({ found }) => found === undefined);
    }
  }

  /**
   * Finds which own lines are stored, all at once: most of a replayed page are after a restart, and the account's sends
   * wait for this transaction.
   */
  async #findStored(lines: readonly NumberedLine[]): Promise<void> {
    const own = lines.filter(({ observed }) => observed.own !== undefined);
    for (const each of await this.#storedAmong(own.map(({ fingerprint }) => fingerprint))) this.#stored.add(each);
  }

  /**
   * Takes lines under another nick for those of other people, also with the tag of a send, which all in the channel see:
   * each own line takes several statements. Only a missed one may have an earlier nick of the account.
   */
  async #withoutForeignTags(lines: readonly ObservedLine[]): Promise<readonly ObservedLine[]> {
    const tags = lines.flatMap(({ own }) => (own?.isNick === false && own.tag !== undefined ? [own.tag] : []));
    if (tags.length === 0) return lines;
    const awaited = await awaitedSenders(this.#database, this.#target.accountId, this.#isReplay ? tags : []);
    return lines.map((observed) => {
      const { line, own } = observed;
      if (own === undefined || own.isNick || awaited.get(own.tag ?? '') === line.sender) return observed;
      return { ...observed, own: undefined };
    });
  }

  async #storedAmong(fingerprints: readonly string[]): Promise<Set<string>> {
    const stored = new Set<string>();
    for (const group of groupsOf(fingerprints)) {
      const entries = this.#database('entries').where('account_id', this.#target.accountId);
      const known = await entries.whereIn('fingerprint', group).pluck<string[]>('fingerprint');
      for (const fingerprint of [...known, ...(await this.#partsAmong(group))]) stored.add(fingerprint);
    }
    return stored;
  }

  /**
   * Leaves out lines of own sends: all lines of a send are one entry. Needed if neither nick nor tag shows their
   * sender.
   */
  async #withoutParts(rows: readonly NewRow[]): Promise<readonly NewRow[]> {
    const parts = await this.#partsAmong(rows.map(({ fingerprint }) => fingerprint));
    this.#knownCount += parts.size;
    return rows.filter(({ fingerprint }) => !parts.has(fingerprint));
  }

  async #partsAmong(fingerprints: readonly string[]): Promise<Set<string>> {
    const parts = this.#database('message_parts').where('account_id', this.#target.accountId);
    return new Set(await parts.whereIn('fingerprint', [...fingerprints]).pluck<string[]>('fingerprint'));
  }

  /**
   * Compares the number of equal lines in a second with the stored live ones, for a bouncer that stores whole seconds
   * and no ids.
   */
  async #isKnownBySecond(line: CapturedLine, n: number): Promise<boolean> {
    const known = this.#storedInSecond.get(line.fingerprintBase);
    if (known !== undefined) return n < known;
    await this.#flush();
    const at = line.serverAt ?? 0;
    const [stored] = await this.#database('entries')
      .where({ account_id: this.#target.accountId, channel: line.channel, kind: line.kind })
      .where({ sender: line.sender, text: line.text })
      .whereBetween('event_at', [at, at + COARSE_MS - 1])
      .count<{ lines: number | string }[]>({ lines: '*' });
    const count = Number(stored?.lines);
    this.#storedInSecond.set(line.fingerprintBase, count);
    return n < count;
  }

  #rowOf(line: CapturedLine, fingerprint: string): NewRow {
    const { accountId, network, now } = this.#target;
    const eventAt = eventTime(line.serverAt, now);
    return {
      entry_id: newId('ent'),
      account_id: accountId,
      fingerprint,
      network,
      channel: line.channel,
      kind: line.kind,
      sender: line.sender,
      text: line.text,
      text_folded: foldText(line.text),
      target: line.target,
      event_at: eventAt ?? now,
      observed_at: now,
      timestamp_source: eventAt === undefined ? 'observed' : 'server',
      ...NEITHER_SENT_NOR_GAP,
    };
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    const rows = this.#isReplay ? await this.#withoutParts(waiting) : waiting;
    if (rows.length === 0) return;
    if (!this.#target.isCareful) this.#entries.push(...(await this.#insert(this.#database, rows)));
    else for (const row of rows) await this.#insertOrSetAside(row);
  }

  async #insert(database: Database, rows: readonly NewRow[]): Promise<PlacedEntry[]> {
    const inserted: { fingerprint: string; row: number | string }[] = await database('entries')
      .insert([...rows])
      .onConflict(['account_id', 'fingerprint'])
      .ignore()
      .returning(['fingerprint', 'row']);
    const places = new Map(inserted.map(({ fingerprint, row }) => [fingerprint, row]));
    this.#knownCount += rows.length - places.size;
    return rows.flatMap((entry) => {
      const row = places.get(entry.fingerprint);
      // Of several lines with one fingerprint, the first is stored: a server may give the same id to many.
      places.delete(entry.fingerprint);
      return row === undefined ? [] : [placedEntryOf({ ...entry, row })];
    });
  }

  async #insertOrSetAside(row: NewRow): Promise<void> {
    try {
      this.#entries.push(...(await this.#database.transaction((savepoint) => this.#insert(savepoint, [row]))));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#refusedCount += 1;
      const gap = { from: row.event_at, to: row.event_at, reason: 'line_refused' } as const;
      this.#gaps.push(...(await insertGap(this.#database, { ...this.#target, channel: row.channel, gap })));
    }
  }
}

/** Search for the first free number of a base: those from 0 to it are stored. */
class NumberSearch {
  readonly base: string;
  #taken = -1;
  #free = 0;
  #isDoubling = true;

  constructor(base: string) {
    this.base = base;
  }

  get #number(): number {
    return this.#isDoubling ? this.#free : Math.floor((this.#taken + this.#free) / 2);
  }

  /** Fingerprint that has to be looked up next. */
  get asked(): string {
    return `${this.base}#${this.#number}`;
  }

  /** Undefined until it is found. */
  get found(): number | undefined {
    return !this.#isDoubling && this.#free - this.#taken === 1 ? this.#free : undefined;
  }

  answered(isStored: boolean): void {
    const number = this.#number;
    if (!isStored) [this.#free, this.#isDoubling] = [number, false];
    else if (this.#isDoubling) [this.#taken, this.#free] = [number, 2 * number + 1];
    else this.#taken = number;
  }
}

const exactFingerprint = ({ fingerprintBase }: CapturedLine): string => `${fingerprintBase}#0`;

const isOwnUntagged = ({ line, own }: ObservedLine): boolean =>
  own !== undefined && own.tag === undefined && line.kind === 'message';
