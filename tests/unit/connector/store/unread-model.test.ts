import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Reader } from '../../../../src/connector/ports/agent-cursor-store.ts';
import type { OwnLine } from '../../../../src/connector/ports/bouncer-session.ts';
import { capturedLine, type OpenStore, openStore } from '../../../harness/open-store.ts';
import { statementsOf } from '../../../harness/statements.ts';
import { renewSend, storeSend } from '../../../harness/stored-sends.ts';

const RUNS = 15;
const STEPS_MAX = 30;
const TIMEOUT_MS = 120_000;
const CHANNELS = ['#room', '#ops'] as const;
/** Entries are said out of order: their times are among these. */
const TIMES = 8;
const BATCH = 3;
const PRUNED_AT_ONCE = 5;

const WHAT = [
  ...(['say', 'say', 'say twice', 'gap', 'join', 'send named', 'send unnamed', 'send long'] as const),
  ...(['write', 'fail', 'fail', 'renew', 'renew', 'echo', 'echo early', 'echo late'] as const),
  ...(['read', 'read', 'read', 'acknowledge', 'acknowledge', 'prune older', 'prune excess', 'new session'] as const),
] as const;

/** All entries and cursors of an account, from which unread entries are counted in the plain way. */
class Snapshot {
  readonly #entries: readonly StoredEntry[];
  readonly #cursors: ReadonlyMap<string, StoredCursor>;

  constructor(entries: readonly StoredEntry[], cursors: readonly StoredCursor[]) {
    this.#entries = entries;
    this.#cursors = new Map(cursors.map((cursor) => [keyOf(cursor.session_id, cursor.channel), cursor]));
  }

  /** Returns the row up to which the session has acknowledged the channel; undefined where it has not read it. */
  acknowledged(reader: Reader, channel: string): number | undefined {
    const cursor = this.#cursors.get(keyOf(reader.sessionId, channel));
    return cursor === undefined ? undefined : Number(cursor.acknowledged_row);
  }

  lastAcknowledged(reader: Reader, channel: string): string | undefined {
    return this.#cursors.get(keyOf(reader.sessionId, channel))?.acknowledged_entry_id ?? undefined;
  }

  unread(reader: Reader, channel: string): StoredEntry[] {
    const after = this.acknowledged(reader, channel) ?? 0;
    return this.#entries.filter(
      (entry) => entry.channel === channel && entry.row > after && entry.status !== 'failed' && !isOwn(entry, reader),
    );
  }

  newestReceived(): string | undefined {
    const received = this.#entries.filter(
      ({ kind, timestamp_source, status }) => kind !== 'gap' && timestamp_source !== 'local' && status !== 'failed',
    );
    return received.at(-1)?.entry_id;
  }
}

const keyOf = (sessionId: string, channel: string): string => JSON.stringify([sessionId, channel]);

const isOwn = (entry: StoredEntry, { clientId, sessionId }: Reader): boolean =>
  entry.client_id === clientId && (entry.session_id === null || entry.session_id === sessionId);

/** Plays steps on an account with several sessions; after each, the store must count as a `Snapshot` does. */
class World {
  readonly #open: OpenStore;
  readonly #accountId: string;
  readonly #sessions: Reader[] = [];
  readonly #sends: Send[] = [];
  /** The newest entry that retention took from a session unread. */
  readonly #lost = new Map<string, number>();
  #serial = 0;

  constructor(open: OpenStore, accountId: string) {
    this.#open = open;
    this.#accountId = accountId;
  }

  async begin(): Promise<void> {
    for (const clientId of ['one', 'one', 'other']) await this.#begin(clientId);
  }

  async take(step: Step): Promise<void> {
    await this.#do(step);
    await this.#check();
  }

  async #begin(clientId: string): Promise<void> {
    const accountId = this.#accountId;
    const sessionId = await this.#open.store.agentSessions.create(accountId, clientId);
    this.#sessions.push({ accountId, clientId, sessionId });
  }

  async #do({ what, channel, which, also }: Step): Promise<unknown> {
    const { capture, retention } = this.#open.store;
    const accountId = this.#accountId;
    const reader = this.#sessions[which % this.#sessions.length];
    if (reader === undefined) throw new Error('there is a session');
    const send = this.#sends[which % Math.max(1, this.#sends.length)];
    const ways: Record<Step['what'], () => Promise<unknown>> = {
      say: () => this.#ingest(channel, { at: also }),
      'say twice': () => this.#ingest(channel, { at: also, texts: ['a', 'b'] }),
      join: () => this.#ingest(channel, { at: also, isJoin: true }),
      gap: () => capture.addGap(accountId, 'main', channel, { from: also, to: this.#next(), reason: 'history_lost' }),
      'send named': () => this.#send(channel, reader, { isNamed: true, lineCount: 1 }),
      'send unnamed': () => this.#send(channel, reader, { isNamed: false, lineCount: 1 }),
      'send long': () => this.#send(channel, reader, { isNamed: true, lineCount: 2 }),
      write: () => this.#setStatus(send, also, 'queued'),
      fail: () => this.#setStatus(send, also, 'failed'),
      renew: () => this.#renew(send),
      echo: () => this.#echo(send, also, { isExact: true, isReplay: false }),
      'echo early': () => this.#echo(send, also, { isExact: false, isReplay: false }),
      'echo late': () => this.#echo(send, also, { isExact: true, isReplay: true }),
      read: () => this.#read(reader, channel),
      acknowledge: () => this.#acknowledge(reader, channel, also),
      'prune older': () => this.#prune(() => retention.pruneOlder(accountId, also, PRUNED_AT_ONCE)),
      'prune excess': () =>
        this.#prune(async () => {
          const excess = await retention.excess(accountId, also);
          return retention.pruneOldest(accountId, Math.min(excess, PRUNED_AT_ONCE));
        }),
      'new session': () => this.#begin(also % 2 === 0 ? 'one' : 'other'),
    };
    return ways[what]();
  }

  async #setStatus(send: Send | undefined, also: number, status: 'queued' | 'failed'): Promise<void> {
    if (send === undefined) return;
    const part = { messageId: send.messageId, number: 1 + (also % send.lineCount) };
    await this.#open.store.messages.setPartStatus(part, status, status === 'failed' ? 'no' : undefined);
  }

  async #renew(send: Send | undefined): Promise<void> {
    const { messages } = this.#open.store;
    if (send === undefined || (await messages.find(send.messageId))?.status !== 'failed') return;
    await renewSend(this.#open, send.messageId, () => {
      const tag = this.#tag();
      send.tags.push(tag);
      return tag;
    });
  }

  async #echo(send: Send | undefined, also: number, how: { isExact: boolean; isReplay: boolean }): Promise<void> {
    if (send === undefined) return;
    const own = { tag: send.tags[also % send.tags.length], isNick: true, isJoin: false };
    await this.#ingest(send.channel, { at: also, own, ...how });
  }

  async #ingest(
    channel: string,
    {
      at,
      texts = ['a'],
      own,
      isJoin = false,
      isExact = true,
      isReplay = false,
    }: { at: number; texts?: string[]; own?: OwnLine; isJoin?: boolean; isExact?: boolean; isReplay?: boolean },
  ): Promise<void> {
    const lines = texts.map((text) => ({
      line: {
        ...capturedLine(text, at % TIMES, channel),
        kind: isJoin ? ('join' as const) : ('message' as const),
        sender: own === undefined ? 'bob' : 'ada',
        isExact,
      },
      own: isJoin ? { tag: undefined, isNick: true, isJoin: true } : own,
    }));
    await this.#open.store.capture.ingest(this.#accountId, 'main', { lines, isReplay, synced: new Set() });
  }

  async #send(
    channel: string,
    reader: Reader,
    { isNamed, lineCount }: { isNamed: boolean; lineCount: number },
  ): Promise<void> {
    const parts = Array.from({ length: lineCount }, () => ({ text: 'said', tag: this.#tag() }));
    const { messageId } = await storeSend(this.#open, {
      ...{ accountId: this.#accountId, clientId: reader.clientId, idempotencyKey: undefined, network: 'main' },
      ...{ sessionId: isNamed ? reader.sessionId : undefined, channel, nick: 'ada', text: 'said', parts },
    });
    this.#sends.push({ messageId, channel, lineCount, tags: parts.map(({ tag }) => tag) });
  }

  async #read(reader: Reader, channel: string): Promise<void> {
    const acknowledged = (await this.#snapshot()).acknowledged(reader, channel);
    const bounds = { limit: BATCH, cut: <T>(entries: readonly T[]) => entries };
    const { hasGap } = await this.#open.store.agentCursors.nextBatch(reader, channel, bounds);

    const lost = this.#lost.get(keyOf(reader.sessionId, channel)) ?? 0;
    expect(hasGap).toBe(acknowledged !== undefined && lost > acknowledged);
  }

  /** One of those that are unread, often one that was delivered. */
  async #acknowledge(reader: Reader, channel: string, also: number): Promise<void> {
    const entry = (await this.#snapshot()).unread(reader, channel)[also % BATCH];
    if (entry !== undefined) await this.#open.store.agentCursors.acknowledge(reader, channel, entry.entry_id);
  }

  async #prune(prune: () => Promise<number>): Promise<void> {
    const before = await this.#snapshot();
    await prune();
    const after = await this.#snapshot();
    for (const reader of this.#sessions) {
      for (const channel of CHANNELS) {
        if (before.acknowledged(reader, channel) === undefined) continue;
        const left = new Set(after.unread(reader, channel).map(({ row }) => row));
        const gone = before.unread(reader, channel).filter(({ row }) => !left.has(row));
        const key = keyOf(reader.sessionId, channel);
        this.#lost.set(key, Math.max(this.#lost.get(key) ?? 0, ...gone.map(({ row }) => row)));
      }
    }
  }

  async #snapshot(): Promise<Snapshot> {
    const entries: StoredEntry[] = await this.#open
      .database('entries')
      .leftJoin('messages', 'messages.message_id', 'entries.message_id')
      .where('entries.account_id', this.#accountId)
      .orderBy('entries.row')
      .select('messages.*', 'entries.*');
    const cursors: StoredCursor[] = await this.#open.database('agent_cursors').whereIn(
      'session_id',
      this.#sessions.map(({ sessionId }) => sessionId),
    );
    return new Snapshot(
      entries.map((entry) => ({ ...entry, row: Number(entry.row) })),
      cursors,
    );
  }

  async #check(): Promise<void> {
    const { agentCursors, entries } = this.#open.store;
    const snapshot = await this.#snapshot();
    const check = async () => {
      for (const reader of this.#sessions) {
        const positions = await agentCursors.positions(reader, CHANNELS);
        for (const channel of CHANNELS) {
          expect(positions.get(channel)?.unreadCount).toBe(snapshot.unread(reader, channel).length);
          expect(positions.get(channel)?.lastAcknowledgedEntryId ?? undefined).toBe(
            snapshot.lastAcknowledged(reader, channel),
          );
        }
      }
      const received = await entries.newestReceived(this.#accountId, CHANNELS);
      expect(received?.entryId).toBe(snapshot.newestReceived());
    };
    await check();
    // The memory agrees, and keeps it until the next step.
    expect(await statementsOf(this.#open, check)).toEqual([]);
  }

  #tag(): string {
    return `${this.#accountId} ${this.#next()}`;
  }

  #next(): number {
    this.#serial += 1;
    return this.#serial;
  }
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...WHAT),
  channel: fc.constantFrom(...CHANNELS),
  which: fc.nat(5),
  also: fc.nat(TIMES),
});

test(
  'the running counts are what counting gives, with lines said, sent, failed, sent again, echoed, read and pruned in any order',
  async () => {
    await using open = await openStore();
    let runs = 0;

    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: STEPS_MAX, size: 'max' }), async (steps) => {
        runs += 1;
        const world = new World(open, await open.account(`person${runs}`, CHANNELS));
        await world.begin();
        for (const each of steps) await world.take(each);
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);

/** Number of writers, and of readers, that work at once. */
const WRITERS = 4;
const READERS = 4;
const LINES_EACH = 12;

test('a reader beside many writers gets no less than was stored when it asked', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada', CHANNELS);
  const session = async (clientId: string): Promise<Reader> => ({
    ...{ accountId, clientId },
    sessionId: await open.store.agentSessions.create(accountId, clientId),
  });
  let [begun, stored, isWriting] = [0, 0, true];
  const write = async (channel: string) => {
    for (let n = 0; n < LINES_EACH; n += 1) {
      begun += 1;
      const lines = [{ line: capturedLine('said', n, channel), own: undefined }];
      await open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
      stored += 1;
    }
  };
  const unread = async (reader: Reader) => {
    const positions = await open.store.agentCursors.positions(reader, CHANNELS);
    return CHANNELS.reduce((sum, channel) => sum + (positions.get(channel)?.unreadCount ?? 0), 0);
  };
  const wrong: string[] = [];
  const watch = async (reader: Reader) => {
    while (isWriting) {
      const least = stored;
      const found = await unread(reader);
      if (found < least || found > begun) wrong.push(`${found} of ${least} to ${begun}`);
      // Values in memory come without a wait, so this lets the writers go on.
      await setImmediate();
    }
  };
  const watchers = await Promise.all(Array.from({ length: READERS }, (_, n) => session(`client${n % 2}`)));

  const writing = Promise.all(Array.from({ length: WRITERS }, (_, n) => write(CHANNELS[n % CHANNELS.length] ?? '')));
  await Promise.all([
    writing.finally(() => {
      isWriting = false;
    }),
    ...watchers.map(watch),
  ]);

  expect(wrong).toEqual([]);
  for (const reader of watchers) expect(await unread(reader)).toBe(WRITERS * LINES_EACH);
});

interface Send {
  messageId: string;
  channel: string;
  lineCount: number;
  tags: string[];
}

interface Step {
  what: (typeof WHAT)[number];
  channel: (typeof CHANNELS)[number];
  /** Number that selects a session, message or time, by its remainder. */
  which: number;
  also: number;
}

/** An entry as it is stored, with its send where it is one. */
interface StoredEntry {
  row: number;
  entry_id: string;
  channel: string;
  kind: string;
  timestamp_source: string;
  message_id: string | null;
  client_id: string | null;
  session_id: string | null;
  status: string | null;
}

interface StoredCursor {
  session_id: string;
  channel: string;
  acknowledged_row: number | string;
  acknowledged_entry_id: string | null;
}
