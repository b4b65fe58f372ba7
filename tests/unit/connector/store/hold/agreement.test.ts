import { expect } from 'vitest';
import { Agreement } from '../../../../../src/connector/store/hold/agreement.ts';
import { decideSettings, readAgreement, type Stated } from '../../../../../src/connector/store/hold/agreement-rows.ts';
import { beat, forget } from '../../../../../src/connector/store/hold/process-rows.ts';
import { open, testWithNewStore } from '../../../../harness/fixtures/open-store.ts';

const rowOf = (processId: string) => ({ processId, name: `${processId} on host`, version: '1' });

const test = testWithNewStore();

test('the settings of the process that was started last count, in whichever order they are stored', async () => {
  const [early, late] = [await start('early', 5_000), await start('late', 1_000)];

  await late.decide('of late');
  await early.decide('of early');

  expect(await decidedFor(early)).toBe('of late');
  expect(await decidedFor(late)).toBe('of late');
  const newest = await start('newest', 0);
  await newest.decide('of newest');
  expect([await decidedFor(early), early.decided?.by]).toEqual(['of newest', 'newest on host']);
});

test('a reload counts more than all starts before it, and less than a start after it', async () => {
  const [early, late] = [await start('early', 5_000), await start('late', 1_000)];
  await late.decide('of late');

  await early.decideAnew('reloaded');

  expect(await decidedFor(late)).toBe('reloaded');
  const between = await start('between', 500);
  await between.decide('of between');
  expect(await decidedFor(early)).toBe('reloaded');
  await open.database('decided_settings').decrement('decided_at', 1_000);
  const next = await start('next', 0);
  await next.decide('of next');
  expect(await decidedFor(early)).toBe('of next');
});

test('a decision that is dated ahead is from before the clock was set back, and counts less than any', async () => {
  const [early, late] = [await start('early', 5_000), await start('late', 1_000)];
  await late.decide('of late');
  await open.database('decided_settings').increment('decided_at', 3_600_000);

  await early.decide('of early');

  expect(await decidedFor(late)).toBe('of early');
});

test('a process that counts as dead while it starts decides as soon as it is there again, by the time of its start', async () => {
  const [frozen, own] = [await start('frozen', 5_000), rowOf('frozen')];
  await forget(open.database, own.processId);

  await frozen.decide('of frozen');
  expect(await open.database('decided_settings').pluck('content')).toEqual([]);
  await beat(open.database, own, 0, { ageMs: 5_000 });

  expect(await decidedFor(frozen)).toBe('of frozen');
  const late = await start('late', 1_000);
  await late.decide('of late');
  await forget(open.database, own.processId);
  await frozen.decide('of frozen once more');
  await beat(open.database, own, 0, { ageMs: 6_000 });
  expect(await decidedFor(frozen)).toBe('of late');
  await forget(open.database, own.processId);
  await frozen.decideAnew('reloaded');
  await beat(open.database, own, 0, { ageMs: 6_000 });
  expect(await decidedFor(frozen)).toBe('reloaded');
});

test.each([
  ['cut', '{"settings":{"baseUrl":"ha'],
  ['of another form', '{"settings":[],"keys":{"opens":"all"}}'],
  ['null', 'null'],
])(
  'what a process states that is %s keeps no other one from its look, and lasts until that process looks',
  async (_, damaged) => {
    const states: Stated = { settings: { baseUrl: 'hash' } };
    const [one, other] = [await start('one', 3_000), await start('other', 2_000)];
    one.state(states);
    await one.look();
    await open.database('processes').where('process_id', 'one').update({ agreement: damaged });
    const stated = () => other.others.find(({ processId }) => processId === 'one')?.stated;

    await other.look();
    expect(stated()).toBeUndefined();
    await one.look();
    await other.look();

    expect(stated()).toEqual(states);
  },
);

test('a reload that the database does not answer is stored with a later look', async () => {
  const stored: string[] = [];
  let isAway = true;
  const agreement = new Agreement({
    agree: async () => undefined,
    decide: async (content) => {
      if (isAway) throw new Error('no answer');
      return stored.push(content) > 0;
    },
  });

  await agreement.decideAnew('first');
  await agreement.decideAnew('second');
  isAway = false;
  await agreement.look();
  await agreement.look();

  expect(stored).toEqual(['second']);
});

test('each process reads what living others state, without one that is silent, and an earlier version states nothing', async () => {
  const states: Stated = { settings: { baseUrl: 'hash' } };
  const [one, other] = [await start('one', 3_000), await start('other', 2_000)];
  await start('silent', 20_000);
  await start('earlier', 1_000);
  await open.database('processes').where('process_id', 'silent').decrement('seen_at', 20_000);
  one.state(states);

  await one.look();
  await other.look();

  // On PostgreSQL the process of the test has an entry, too.
  expect(other.others.filter(({ name }) => name !== 'test')).toEqual([
    { processId: 'one', name: 'one on host', stated: states, isSilent: false },
    { processId: 'earlier', name: 'earlier on host', stated: undefined, isSilent: false },
  ]);
});

/** Enters a process. @param agoMs its age in milliseconds */
async function start(processId: string, agoMs: number): Promise<Agreement> {
  const { database } = open;
  const own = rowOf(processId);
  await beat(database, own, 0);
  await database('processes').where('process_id', processId).decrement('started_at', agoMs);
  return new Agreement({
    agree: (stated, known) => readAgreement(database, own, stated, known),
    decide: (content, isReloaded) => decideSettings(database, own, content, isReloaded),
  });
}

async function decidedFor(agreement: Agreement): Promise<string | undefined> {
  await agreement.look();
  return agreement.decided?.content;
}
