import pino from 'pino';
import { expect } from 'vitest';
import type { ObservedLine } from '../../../../src/connector/ports/bouncer-session.ts';
import { CatchUp } from '../../../../src/connector/presence/catch-up.ts';
import { Generation } from '../../../../src/connector/presence/generation.ts';
import { batchOf } from '../../../../src/connector/presence/line-batch.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { capturedLine } from '../../../harness/open-store.ts';

const test = testWithStore();

const OWN = { tag: undefined, isNick: true, isJoin: false };
/** A line of another person, who has seen the tag in the channel. */
const FOREIGN = { tag: 'of a send', isNick: false, isJoin: false };

const lines = (count: number, own?: ObservedLine['own']): ObservedLine[] =>
  Array.from({ length: count }, (_, n) => ({
    line: { ...capturedLine(`${own?.isNick === true ? 'own' : 'live'} ${n}`, open.clock.now()), isExact: false },
    own,
  }));

test('a batch has at most 500 lines, and 50 own ones, also if others say theirs with the tags of sends', () => {
  expect(batchOf(lines(501))).toHaveLength(500);
  expect(batchOf(lines(501, FOREIGN))).toHaveLength(500);
  expect(batchOf([...lines(10), ...lines(51, OWN)])).toHaveLength(60);
  expect(batchOf([...lines(10), ...lines(50, OWN)])).toHaveLength(60);
  expect(batchOf([])).toEqual([]);
});

test('held lines are stored in batches, and each of them once, also if storing fails half-way', async () => {
  const accountId = await open.account('ada', ['#room']);
  const { capture } = open.store;
  const batches: number[][] = [];
  const ingest: typeof capture.ingest = (account, network, batch) => {
    batches.push([batch.lines.length, batch.lines.filter(({ own }) => own !== undefined).length]);
    return batches.length === 2 ? Promise.reject(new Error('no database')) : capture.ingest(account, network, batch);
  };
  const catchUp = new CatchUp(
    accountId,
    {
      ...{ bouncer: obedientBouncer, clock: open.clock, log: pino({ level: 'silent' }) },
      ...{ store: { ...open.store, capture: { ...capture, ingest } }, settings: { network: { name: 'main' } } },
    },
    new Generation(),
  );
  catchUp.network = 'main';
  await catchUp.start({ ...silentSession, canReplay: true, replay: () => undefined }, ['#room']);
  const modes = lines(120, OWN).map(({ line, own }): ObservedLine => ({ line: { ...line, kind: 'mode' }, own }));
  const held = [...lines(1_200), ...modes];

  await catchUp.takeLive(held);
  await expect(catchUp.release()).rejects.toThrow('no database');
  await catchUp.release();

  expect(batches).toEqual([
    ...[500, 500, 500].map((count) => [count, 0]),
    ...[
      [250, 50],
      [50, 50],
      [20, 20],
    ],
  ]);
  const stored = await open.database('entries').where('account_id', accountId).orderBy('row').pluck('text');
  expect(stored).toEqual(held.map(({ line: { text } }) => text));
});
