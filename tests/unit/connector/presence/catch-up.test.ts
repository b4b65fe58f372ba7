import pino from 'pino';
import { beforeEach, expect } from 'vitest';
import type { ObservedLine, ReplayedPage } from '../../../../src/connector/ports/bouncer-session.ts';
import { CatchUp } from '../../../../src/connector/presence/catch-up.ts';
import { Generation, SessionEnded } from '../../../../src/connector/presence/generation.ts';
import { HeldLines } from '../../../../src/connector/presence/held-lines.ts';
import type { PresenceContext } from '../../../../src/connector/presence/presence-context.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { capturedLine } from '../../../harness/open-store.ts';

const HOUR_MS = 60 * 60 * 1_000;
const SECOND_MS = 1_000;

const test = testWithStore();

let accounts = 0;
let accountId: string;
let context: PresenceContext;
let generation: Generation;
/** Channels whose history was requested of the session. */
let asked: string[];

beforeEach(async () => {
  accounts += 1;
  accountId = await open.account(`person${accounts}`, ['#room', '#Ops']);
  asked = [];
  context = {
    ...{ store: open.store, bouncer: obedientBouncer, clock: open.clock, log: pino({ level: 'silent' }) },
    settings: { network: { name: 'main' } },
  };
});

const session = { ...silentSession, canReplay: true, replay: (channel: string) => void asked.push(channel) };

const begin = (...channels: string[]): Promise<CatchUp> => beginWith(new HeldLines(), ...channels);

test('live lines wait for the missed ones, and those that are among them are the same', async () => {
  const catchUp = await begin('#room');
  await catchUp.takeLive([line('live and kept'), line('live and lost')]);
  expect(await stored()).toEqual([]);

  await catchUp.take(page(line('missed'), line('live and kept')));
  await catchUp.takeLive([line('after')]);

  expect(await stored()).toEqual(['missed', 'live and kept', 'live and lost', 'after']);
});

test('a line of another user waits for the missed ones, also with the tag of a send, which everybody in the channel sees', async () => {
  const catchUp = await begin('#room');
  const tagged = (text: string, isNick: boolean): ObservedLine => ({
    ...line(text),
    own: { tag: 'seen in the channel', isNick, isJoin: false },
  });

  await catchUp.takeLive([tagged('of somebody else', false), tagged('of the account', true)]);
  await catchUp.take(page(line('missed')));

  expect(await stored()).toEqual(['of the account', 'missed', 'of somebody else']);
});

test('more live lines than can be held are stored before the missed ones, and lose only their order', async () => {
  const catchUp = await begin('#room');
  const many = Array.from({ length: 5_000 }, (_, n) => line(`live ${n}`));

  await catchUp.takeLive(many);
  await catchUp.takeLive([line('one more')]);
  expect(await stored()).toHaveLength(many.length);
  await catchUp.take(page(line('missed'), ...many.slice(0, 10)));

  expect(await stored()).toEqual([...many.map(({ line: { text } }) => text), 'missed', 'one more']);
});

test('held lines are stored when the session ends before the answer, or the answer is refused', async () => {
  const ended = await begin('#room');
  await ended.takeLive([line('held when it ended')]);
  generation.end();
  await ended.release();

  const refused = await begin('#room');
  await refused.takeLive([line('held when it was refused')]);
  await refused.refused('#room');

  expect(await stored()).toEqual(['held when it ended', 'held when it was refused']);
});

test('live lines of a session that is lost wait for the missed ones of the next session, also for those of a second loss', async () => {
  const held = new HeldLines();
  for (const text of ['live and kept', 'live and lost']) {
    const lost = await beginWith(held, '#room');
    generation.end();
    await lost.takeLive([line(text)]);
  }
  expect(await stored()).toEqual([]);

  const next = await beginWith(held, '#room');
  await next.takeLive([line('of the new session')]);
  await next.take(page(line('missed'), line('live and kept')));

  expect(await stored()).toEqual(['missed', 'live and kept', 'live and lost', 'of the new session']);
});

test.each([
  ['the database does not answer', new Error('no answer')],
  ['the session is lost', undefined],
])(
  'live lines of all channels wait for the next session where %s while the first request is prepared',
  async (_what, failure) => {
    const held = new HeldLines();
    const { capture } = open.store;
    const syncedTo: typeof capture.syncedTo = (...place) => {
      generation.end();
      return failure === undefined ? capture.syncedTo(...place) : Promise.reject(failure);
    };
    generation = new Generation();
    await capture.begin(accountId, 'main', ['#Ops', '#room'], open.clock.now());
    const store = { ...open.store, capture: { ...capture, syncedTo } };
    const lost = new CatchUp(accountId, { ...context, store }, generation, held);
    lost.network = 'main';
    await expect(lost.start(session, ['#Ops', '#room'])).rejects.toThrow(failure ?? SessionEnded);
    await lost.takeLive([line('live')]);
    expect(await stored()).toEqual([]);

    const next = await beginWith(held, '#room', '#Ops');
    await next.take(page(line('missed')));

    expect(await stored()).toEqual(['missed', 'live']);
  },
);

test('live lines of a lost session are stored when none follows, when the next one can’t replay, and when their channel is disabled', async () => {
  const held = new HeldLines();
  const lost = await beginWith(held, '#room', '#Ops');
  generation.end();
  await lost.takeLive([line('none followed')]);
  await lost.holdNoMore();
  await lost.takeLive([line('came late')]);
  expect(await stored()).toEqual(['none followed', 'came late']);

  const other = await beginWith(held, '#room', '#Ops');
  await other.takeLive([line('of a disabled channel')]);
  await beginWith(held, '#Ops');
  expect(held.of()).toEqual([]);

  const third = await beginWith(held, '#room', '#Ops');
  await third.takeLive([line('before a bouncer without history')]);
  const without = new CatchUp(accountId, context, new Generation(), held);
  without.network = 'main';
  await without.start({ ...session, canReplay: false }, ['#room', '#Ops']);
  expect(held.of()).toEqual([]);
  expect((await stored()).filter((text) => text === 'before a bouncer without history')).toHaveLength(1);
});

test('a page whose storing failed half-way is taken again, and still shows that the bouncer lost what it had', async () => {
  await begin('#room').then((earlier) => earlier.take(page(line('known before'))));
  open.clock.set(open.clock.now() + HOUR_MS);
  let failures = 1;
  const { capture } = open.store;
  const addGap: typeof capture.addGap = (...gap) =>
    failures-- > 0 ? Promise.reject(new Error('no database')) : capture.addGap(...gap);
  context = { ...context, store: { ...open.store, capture: { ...capture, addGap } } };
  const catchUp = await begin('#room');
  const lost = page(line('all the bouncer has'));

  await expect(catchUp.take(lost)).rejects.toThrow('no database');
  await catchUp.take(lost);

  expect(await stored()).toEqual(['known before', 'all the bouncer has', 'history_lost']);
});

test('a page that was stored without an acknowledgement still shows that the bouncer lost what it had', async () => {
  await begin('#room').then((earlier) => earlier.take(page(line('known before'))));
  open.clock.set(open.clock.now() + HOUR_MS);
  let failures = 1;
  const { capture } = open.store;
  const ingest: typeof capture.ingest = async (...batch) => {
    const ingested = await capture.ingest(...batch);
    if (failures-- > 0) throw new Error('the connection was lost');
    return ingested;
  };
  context = { ...context, store: { ...open.store, capture: { ...capture, ingest } } };
  const catchUp = await begin('#room');
  const lost = page(line('all the bouncer has'));

  await expect(catchUp.take(lost)).rejects.toThrow('the connection was lost');
  await catchUp.take(lost);

  expect(await stored()).toEqual(['known before', 'all the bouncer has', 'history_lost']);
});

test('lines without ids that were stored before a page failed are not stored again with it', async () => {
  let failures = 1;
  const { capture } = open.store;
  const ingest: typeof capture.ingest = (account, network, batch) =>
    batch.isReplay && failures-- > 0
      ? Promise.reject(new Error('no database'))
      : capture.ingest(account, network, batch);
  context = { ...context, store: { ...open.store, capture: { ...capture, ingest } } };
  const catchUp = await begin('#room');
  const { line: early, own } = line('older than the page', open.clock.now() - HOUR_MS);
  await catchUp.takeLive([{ line: { ...early, isExact: false }, own }]);

  await expect(catchUp.take(page(line('missed')))).rejects.toThrow('no database');
  await catchUp.take(page(line('missed')));

  expect(await stored()).toEqual(['older than the page', 'missed']);
});

test('a channel that is disabled while it is asked for is asked for again when it is enabled', async () => {
  const catchUp = await begin('#room', '#Ops');
  await catchUp.follow(['#Ops']);
  await catchUp.take(page(line('of before')));

  await catchUp.follow(['#Ops', '#room']);
  await catchUp.take({ ...page(), channel: '#Ops' });

  expect(asked).toEqual(['#room', '#Ops', '#room']);
});

test.each(['syncedTo', 'hasLines'] as const)(
  'a session that ends during %s leaves no gap, and its channel does not count as complete',
  async (door) => {
    await begin('#room').then((earlier) => earlier.take(page(line('known before'))));
    const knownUntil = open.clock.now();
    open.clock.set(knownUntil + HOUR_MS);
    const { capture } = open.store;
    const ending = async <T>(asked: Promise<T>): Promise<T> => {
      const answer = await asked;
      generation.end();
      return answer;
    };
    const endingCapture = {
      ...capture,
      syncedTo: (...of: Parameters<typeof capture.syncedTo>) =>
        door === 'syncedTo' ? ending(capture.syncedTo(...of)) : capture.syncedTo(...of),
      hasLines: (...of: Parameters<typeof capture.hasLines>) =>
        door === 'hasLines' ? ending(capture.hasLines(...of)) : capture.hasLines(...of),
    };
    generation = new Generation();
    const catchUp = new CatchUp(
      accountId,
      { ...context, store: { ...open.store, capture: endingCapture } },
      generation,
    );
    catchUp.network = 'main';

    await expect(catchUp.start(session, ['#room'])).rejects.toBeInstanceOf(SessionEnded);
    await catchUp.takeLive([line('received before the end')]);
    await catchUp.release();

    expect(await stored()).toEqual(['known before', 'received before the end']);
    expect(await capture.syncedTo(accountId, 'main', '#room')).toBe(knownUntil);
  },
);

for (const read of ['syncedTo', 'hasLines'] as const) {
  test(`a channel is asked for when it is followed again after a failure of ${read}`, async () => {
    const catchUp = await begin('#room');
    await catchUp.take(page());
    const { capture } = open.store;
    const whole = capture[read];
    Object.assign(capture, { [read]: () => Promise.reject(new Error('the database is away')) });
    await expect(catchUp.follow(['#room', '#Ops'])).rejects.toThrow('the database is away');
    Object.assign(capture, { [read]: whole });

    await catchUp.follow(['#room', '#Ops']);

    expect(asked).toEqual(['#room', '#Ops']);
  });
}

test('pages that go back in time end with a gap, and the next channel has its turn', async () => {
  const catchUp = await begin('#room', '#Ops');
  const back = open.clock.now() - HOUR_MS;

  await catchUp.take({ ...page(line('of a wrong page', back)), next: back });

  expect(await stored()).toEqual(['of a wrong page', 'history_lost']);
  expect(asked).toEqual(['#room', '#Ops']);
});

test.each([
  ['lost all that the bouncer had', page(), []],
  ['of wrong pages', { ...page(line('of a wrong page', 1)), next: 1 }, ['of a wrong page']],
])('a gap %s is stored once, also when asking for the next channel fails afterwards', async (_what, last, lines) => {
  await begin('#room').then((earlier) => earlier.take(page(line('known before'))));
  open.clock.set(open.clock.now() + HOUR_MS);
  const catchUp = await begin('#room', '#Ops');
  const { capture } = open.store;
  const { syncedTo } = capture;
  Object.assign(capture, { syncedTo: () => Promise.reject(new Error('no database')) });
  await expect(catchUp.take(last)).rejects.toThrow('no database');
  Object.assign(capture, { syncedTo });
  open.clock.set(open.clock.now() + SECOND_MS);

  await catchUp.take(last);

  expect(await stored()).toEqual(['known before', ...lines, 'history_lost']);
  expect(asked.at(-1)).toBe('#Ops');
});

test('a bouncer without history: a channel whose gap could not be stored has it when it is followed again', async () => {
  const without = { ...session, canReplay: false };
  await open.store.capture.begin(accountId, 'main', ['#room', '#Ops'], open.clock.now());
  open.clock.set(open.clock.now() + HOUR_MS);
  const { capture } = open.store;
  const { addGap } = capture;
  Object.assign(capture, { addGap: () => Promise.reject(new Error('no database')) });
  const catchUp = new CatchUp(accountId, context, new Generation());
  catchUp.network = 'main';
  await expect(catchUp.start(without, ['#room', '#Ops'])).rejects.toThrow('no database');
  Object.assign(capture, { addGap });

  await catchUp.follow(['#room', '#Ops']);
  await catchUp.takeLive([line('heard')]);

  expect(await stored()).toEqual(['history_lost', 'history_lost', 'heard']);
  expect(await capture.syncedTo(accountId, 'main', '#room')).toBe(open.clock.now());
});

async function beginWith(held: HeldLines, ...channels: string[]): Promise<CatchUp> {
  generation = new Generation();
  await open.store.capture.begin(accountId, 'main', channels, open.clock.now());
  const catchUp = new CatchUp(accountId, context, generation, held);
  catchUp.network = 'main';
  await catchUp.start(session, channels);
  return catchUp;
}

function line(text: string, at = open.clock.now()): ObservedLine {
  return {
    line: { ...capturedLine(text, at), fingerprintBase: text },
    own: undefined,
  };
}

function page(...lines: ObservedLine[]): ReplayedPage {
  return {
    channel: '#room',
    lines,
    next: undefined,
    overfullAt: undefined,
  };
}

async function stored(): Promise<string[]> {
  return (await open.database('entries').where('account_id', accountId).orderBy('row')).map(
    ({ text, gap_reason: reason }) => reason ?? text,
  );
}
