import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Collection } from '../../../../src/agent/collection/collection.ts';
import type { Collector } from '../../../../src/agent/collectors/collector.ts';
import { gauge } from '../../../../src/agent/exposition/family.ts';
import { hostWith } from '../../../harness/host-double.ts';

const host = hostWith({ name: 'h' });

const good: Collector = {
  name: 'load',
  sections: ['load'],
  collect: () => ({ sections: { load: [1, 2, 3] }, families: [gauge('node_load1', 'Load.', 1)] }),
};

const failing = (error: unknown): Collector => ({
  name: 'cpu',
  sections: ['cpus', 'counters'],
  collect: () => {
    throw error;
  },
});

const clockAt = (nowMs: () => number) => ({ now: nowMs, monotonic: nowMs });

const errorsTotal = (text: string): string[] =>
  text.split('\n').filter((line) => line.startsWith('monitor_agent_collect_errors_total'));

for (const [why, error] of [
  ['an error', new Error('could not read /proc/stat: EIO')],
  ['a bug', new TypeError('x is not a function')],
  ['something that is not an error', 'odd'],
] as const) {
  test(`a collector that throws ${why} is missing, named and counted, and the others are there`, async () => {
    const { collection } = collectionOf(failing(error), good);

    const snapshot = await collection.run();

    const reason = error instanceof Error ? error.message : error;
    expect(snapshot.report).toEqual({
      host: 'h',
      time: '1970-01-01T00:00:00.000Z',
      load: [1, 2, 3],
      errors: { cpus: reason, counters: reason },
    });
    expect(errorsTotal(snapshot.metrics(0, 'identity').toString())).toEqual([
      'monitor_agent_collect_errors_total{collector="cpu"} 1',
      'monitor_agent_collect_errors_total{collector="load"} 0',
    ]);
  });
}

test('errors are counted once per collection, not per answer', async () => {
  const { collection } = collectionOf(failing(new Error('x')));
  await collection.run();

  const snapshot = await collection.run();

  for (let answer = 0; answer < 3; answer += 1) {
    expect(errorsTotal(snapshot.metrics(0, 'identity').toString())).toEqual([
      'monitor_agent_collect_errors_total{collector="cpu"} 2',
    ]);
  }
});

test('a collector that is left out has no count, and goes on from it when it comes back', async () => {
  const { lines, collection } = collectionOf(failing(new Error('x')), good);
  await collection.run();

  collection.use([good]);
  const without = await collection.run();
  collection.use([good, failing(new Error('x'))]);
  const again = await collection.run();

  const zero = 'monitor_agent_collect_errors_total{collector="load"} 0';
  expect(errorsTotal(without.metrics(0, 'identity').toString())).toEqual([zero]);
  expect(errorsTotal(again.metrics(0, 'identity').toString())).toEqual([
    zero,
    'monitor_agent_collect_errors_total{collector="cpu"} 2',
  ]);
  expect(lines.filter((line) => line.includes('collected again'))).toEqual([]);
});

test('collectors that are replaced during a collection still have their answers in it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow: Collector = { ...failing(undefined), collect: () => promise.then(() => Promise.reject(new Error('x'))) };
  const { lines, collection } = collectionOf(slow);

  const running = collection.run();
  collection.use([good]);
  resolve();

  expect((await running).report.errors).toEqual({ cpus: 'x', counters: 'x' });
  expect((await collection.run()).report.load).toEqual([1, 2, 3]);
  // The replaced collectors are not called any more, so they log no failure and no recovery.
  expect(lines).toEqual([]);
});

test('an incomplete section is reported with what there is', async () => {
  const partial: Collector = {
    name: 'disks',
    sections: ['disks'],
    collect: async () => ({ sections: { disks: [] }, families: [], problems: ['/a does not answer', '/b: EACCES'] }),
  };

  const { report } = await collectionOf(partial).collection.run();

  expect(report).toMatchObject({ disks: [], errors: { disks: '/a does not answer; /b: EACCES' } });
});

test('counters of several collectors are joined in one section, and so are their errors', async () => {
  const counting = (name: string, counters: object, problems: string[]): Collector => ({
    name,
    sections: ['counters'],
    collect: () => ({ sections: {}, counters, families: [], problems }),
  });

  const { report } = await collectionOf(
    counting('a', { bootTime: 5 }, ['no a']),
    counting('b', { cpu: [] }, ['no b']),
  ).collection.run();

  expect(report.counters).toEqual({ bootTime: 5, cpu: [] });
  expect(report.errors).toEqual({ counters: 'no a; no b' });
});

test('a failure is logged when it begins and when it ends, not each time', async () => {
  let isFailing = true;
  const flapping: Collector = {
    name: 'load',
    sections: ['load'],
    collect: () => {
      if (isFailing) throw new Error('EIO');
      return { sections: {}, families: [] };
    },
  };
  const { collection, lines } = collectionOf(flapping);

  for (let round = 0; round < 3; round += 1) await collection.run();
  isFailing = false;
  for (let round = 0; round < 3; round += 1) await collection.run();

  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['section not collected', 'section collected again']);
});

for (const [what, reasonOf] of [
  ['a number', (round: number) => `${round} more than 256 file systems`],
  ['the name of a transient unit', (round: number) => `run-r${'abcdef'.charAt(round).repeat(32)}.service: closed`],
  ['a UUID', (round: number) => `/pods/0a1b2c3d-aaaa-bbbb-cccc-${'abcdef'.charAt(round).repeat(12)} does not answer`],
] as const) {
  test(`a reason in which only ${what} changes is logged once`, async () => {
    let rounds = 0;
    const slow: Collector = {
      name: 'load',
      sections: ['load'],
      collect: () => {
        rounds += 1;
        throw new Error(reasonOf(rounds));
      },
    };
    const { collection, lines } = collectionOf(slow);

    for (let round = 0; round < 3; round += 1) await collection.run();

    expect(lines).toHaveLength(1);
  });
}

const HOURS = 3_600_000;
const SCRAPE_MS = 15_000;

/**
 * Returns the log of a day of scrapes with a section whose collector fails as `reasonOf` says. @param reasonOf
 * undefined where it does not fail
 */
async function dayOf(reasonOf: (scrape: number) => string | undefined) {
  let scrape = 0;
  const unsteady: Collector = {
    name: 'load',
    sections: ['load'],
    collect: () => {
      const reason = reasonOf(scrape);
      if (reason !== undefined) throw new Error(reason);
      return { sections: {}, families: [] };
    },
  };
  const { collection, lines } = collectionBy(
    clockAt(() => scrape * SCRAPE_MS),
    unsteady,
  );
  for (; scrape * SCRAPE_MS < 24 * HOURS; scrape += 1) await collection.run();
  return lines.map((line) => JSON.parse(line));
}

for (const [what, reasonOf] of [
  ['every second time', (scrape: number) => (scrape % 2 === 0 ? 'EIO' : undefined)],
  ['for one of two reasons, by turns', (scrape: number) => (scrape % 2 === 0 ? 'EIO' : 'ETIMEDOUT')],
  ['for another reason each time', (scrape: number) => `disk ${'qrstuvwxyz'.charAt(scrape % 10).repeat(scrape % 7)}`],
] as const) {
  test(`a section that fails ${what} logs some lines an hour, and not one a scrape`, async () => {
    expect((await dayOf(reasonOf)).length).toBeLessThanOrEqual(24 * 16);
  });
}

test('a section that failed often and then fails for good says so last, and one that is well again says that', async () => {
  const failsFrom = (first: number) => (scrape: number) => (scrape >= first || scrape % 2 === 0 ? 'EIO' : undefined);

  const failing = await dayOf(failsFrom(100));
  const well = await dayOf((scrape) => (scrape < 101 ? failsFrom(Number.POSITIVE_INFINITY)(scrape) : undefined));

  expect(failing.at(-1)).toMatchObject({ msg: 'section not collected', section: 'load', reason: 'EIO' });
  expect(well.at(-1)).toMatchObject({ msg: 'section collected again', section: 'load' });
});

function collectionOf(...collectors: Collector[]) {
  return collectionBy(
    clockAt(() => 0),
    ...collectors,
  );
}

function collectionBy(clock: ReturnType<typeof clockAt>, ...collectors: Collector[]) {
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, collection: new Collection({ host, collectors, clock, log: pino({}, stream) }) };
}
