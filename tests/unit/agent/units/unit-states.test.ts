import { expect, test } from 'vitest';
import type { UnitAnswer } from '../../../../src/agent/host/systemd/systemd-answers.ts';
import { type UnitQuestion, UnitStates } from '../../../../src/agent/units/unit-states.ts';
import { hostWith } from '../../../harness/host-double.ts';

const state = (load: string): UnitAnswer => ({ load, active: 'active', sub: 'running', result: 'success' });
const system = (name: string): UnitQuestion => ({ name, manager: 'system' });
const user = (name: string): UnitQuestion => ({ name, manager: 'user' });

/** A systemd that answers each name with the number of requests for it, by default. */
function setUp(answer: (name: string, times: number) => UnitAnswer | Promise<never> = (_, times) => state(`${times}`)) {
  const asked: string[][] = [];
  const unitAnswers = async (names: readonly string[]): Promise<UnitAnswer[]> => {
    asked.push([...names]);
    return Promise.all(names.map((name) => answer(name, asked.flat().filter((one) => one === name).length)));
  };
  const systemd = { unitAnswers, failedUnits: async () => [], close: () => undefined };
  const time = { monotonicMs: 0, wallMs: 0 };
  const clock = { now: () => time.wallMs, monotonic: () => time.monotonicMs };
  const host = hostWith({
    systemd: async () => systemd,
    userSystemd: { user: 'ada', systemd, remedy: 'do something' },
  });
  return { asked, time, units: new UnitStates(host, clock) };
}

test('rows come in the order of the questions, also for names asked twice and of both managers', async () => {
  const { asked, units } = setUp();

  const { services, problem } = await units.rows([user('b'), system('a'), system('c'), system('a'), user('a')]);

  expect(services.map((row) => [row.unit, row.user])).toEqual([
    ['b', 'ada'],
    ['a', ''],
    ['c', ''],
    ['a', ''],
    ['a', 'ada'],
  ]);
  expect(problem).toBeUndefined();
  expect(asked.toSorted()).toEqual([
    ['a', 'c'],
    ['b', 'a'],
  ]);
});

test('an answer is kept for ten seconds, for each unit apart', async () => {
  const { asked, time, units } = setUp();
  await units.rows([system('a')]);

  time.monotonicMs = 9_999;
  await units.rows([system('a'), system('b')]);
  time.monotonicMs = 10_000;
  const { services } = await units.rows([system('a'), system('b')]);

  expect(asked).toEqual([['a'], ['b'], ['a']]);
  expect(services.map(({ load }) => load)).toEqual(['2', '1']);
});

test('an answer does not outlive the sleep of the machine', async () => {
  const { asked, time, units } = setUp();
  await units.rows([system('a')]);

  time.wallMs = 10_000;
  await units.rows([system('a')]);

  expect(asked).toEqual([['a'], ['a']]);
});

test('requests at the same time ask once', async () => {
  const { asked, units } = setUp();

  const all = await Promise.all(Array.from({ length: 100 }, () => units.rows([system('a'), user('b')])));

  expect(asked.toSorted()).toEqual([['a'], ['b']]);
  expect(new Set(all.map((rows) => JSON.stringify(rows))).size).toBe(1);
});

test('a unit without an answer has an empty row and a reason', async () => {
  const { units } = setUp((name) => (name === 'a' ? { problem: 'not a' } : state('loaded')));

  expect(await units.rows([system('a'), system('b')])).toEqual({
    services: [
      { unit: 'a', user: '', load: '', active: '', sub: '', result: '' },
      { unit: 'b', user: '', ...state('loaded') },
    ],
    problem: 'not a',
  });
});

test('a manager that can not be asked leaves all rows empty, with one reason and what to do', async () => {
  const { units } = setUp(() => Promise.reject(new Error('it hung up')));

  const { services, problem } = await units.rows([user('a'), user('b'), system('c')]);

  expect(services.map(({ load }) => load)).toEqual(['', '', '']);
  expect(problem).toBe('units of ada: it hung up; do something; it hung up');
});

test('where no systemd runs, units asked about are empty and the reason says so', async () => {
  const units = new UnitStates(hostWith({}), { now: () => 0, monotonic: () => 0 });

  expect(await units.rows([system('a.service')])).toEqual({
    services: [{ unit: 'a.service', user: '', load: '', active: '', sub: '', result: '' }],
    problem: 'this machine was not started by systemd',
  });
});

test('only a bounded number of answers about units is kept, the newest', async () => {
  const { asked, units } = setUp();
  for (let round = 0; round < 40; round += 1) {
    await units.rows(Array.from({ length: 64 }, (_, index) => system(`${round}-${index}`)));
  }

  await units.rows([system('39-0'), system('0-0')]);

  expect(asked.at(-1)).toEqual(['0-0']);
});
