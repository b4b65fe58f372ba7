import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Collector } from '../../../../src/agent/collectors/collector.ts';
import { gauge } from '../../../../src/agent/exposition/family.ts';
import { Collection } from '../../../../src/agent/report/collection.ts';
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

function collectionOf(...collectors: Collector[]) {
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const clock = { now: () => 0, monotonic: () => 0 };
  return { lines, collection: new Collection({ host, collectors, clock, log: pino({}, stream) }) };
}

const errorsTotal = (text: string): string[] =>
  text.split('\n').filter((line) => line.startsWith('monitor_agent_collect_errors_total'));

for (const [why, error] of [
  ['an error', new Error('could not read /proc/stat: EIO')],
  ['a bug', new TypeError('x is not a function')],
  ['something that is no error', 'odd'],
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
