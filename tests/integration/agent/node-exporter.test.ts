import { execa } from 'execa';
import { expect, test } from 'vitest';
import { collectionConfig } from '../../../schemas/agent.ts';
import { type Exposition, parseExposition } from '../../../scripts/stack/exposition.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { Collection } from '../../../src/agent/collection/collection.ts';
import { openCollectors } from '../../../src/agent/collectors/index.ts';
import { openHost } from '../../../src/agent/host/host.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { createLog } from '../../../src/kernel/log.ts';

/** A value that changes all the time has to lie between node_exporter's before and after in one of this many rounds. */
const ROUNDS = 30;

/** Collectors of node_exporter that measure the same as the agent. */
const collectors = [
  'cpu',
  'loadavg',
  'meminfo',
  'pressure',
  'vmstat',
  'filesystem',
  'diskstats',
  'netdev',
  'stat',
  'time',
  'uname',
];

test('metrics that node_exporter has too have its name, type, help and labels, and a value between two of its own', async () => {
  await using exporter = await startNodeExporter();
  using agent = openAgent();
  const unproved = new Map<string, string>();

  for (let round = 0; round < ROUNDS && (round === 0 || unproved.size > 0); round += 1) {
    const before = await exporter.read();
    const ours = parseExposition(await agent.text());
    const after = await exporter.read();
    const all = [...ours.samples].filter(([key]) => key.startsWith('node_'));
    expect(all.length).toBeGreaterThan(25);
    expect([...ours.comments].filter((line) => / node_/.test(line) && !after.comments.has(line))).toEqual([]);

    for (const [key, value] of round === 0 ? all : all.filter(([name]) => unproved.has(name))) {
      const bounds = [before.samples.get(key), after.samples.get(key)].map((bound) => bound ?? Number.NaN);
      if (value >= Math.min(...bounds) && value <= Math.max(...bounds)) unproved.delete(key);
      else unproved.set(key, `${value} is not within ${bounds}`);
    }
  }

  expect(Object.fromEntries(unproved)).toEqual({});
});

test('all values of node_exporter for CPUs, load and time are there', async () => {
  await using exporter = await startNodeExporter();
  using agent = openAgent();

  const theirs = await exporter.read();
  const ours = parseExposition(await agent.text());

  const owed = /^node_(cpu_seconds_total|load\d+|boot_time_seconds|time_seconds)\{/;
  expect([...theirs.samples.keys()].filter((key) => owed.test(key) && !ours.samples.has(key))).toEqual([]);
});

test('promtool complains only that names of node_exporter mix cases', async () => {
  using agent = openAgent();

  const { exitCode, stdout, stderr } = await execa('promtool', ['check', 'metrics'], {
    input: await agent.text(),
    reject: false,
  });

  expect(exitCode).not.toBe(1);
  const complaints = `${stdout}\n${stderr}`.split('\n').filter((line) => line !== '');
  const expected = /^node_memory_\w+_bytes metric names should be written in 'snake_case' not 'camelCase'$/;
  expect(complaints.filter((line) => !expected.test(line))).toEqual([]);
});

async function startNodeExporter() {
  const port = await freePort();
  const exporter = startProcess({
    name: 'prometheus-node-exporter',
    command: [
      'prometheus-node-exporter',
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.disable-exporter-metrics',
      '--collector.disable-defaults',
      ...collectors.map((name) => `--collector.${name}`),
      // This version leaves out more directories than newer ones and we do.
      '--collector.filesystem.mount-points-exclude=^/(dev|proc|sys)($|/)',
    ],
  });
  const read = async (): Promise<Exposition> =>
    parseExposition(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  await waitFor('node_exporter answers', read, { process: exporter });
  return { read, [Symbol.asyncDispose]: () => exporter.stop() };
}

function openAgent() {
  const host = openHost({ roots: { procfs: '/proc', sysfs: '/sys', rootfs: '' }, threads: 4 });
  const collection = new Collection({
    host,
    collectors: openCollectors()(collectionConfig.parse({ agent: { unameInfo: true } })),
    clock: systemClock,
    log: createLog('test', 'error'),
  });
  const text = async (): Promise<string> => (await collection.run()).metrics(systemClock.now(), 'identity').toString();
  return { text, [Symbol.dispose]: () => host.close() };
}
