import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect } from 'vitest';
import type { ManagedProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Beside, startBeside, startServingBeside } from '../../harness/beside.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { connectorCommand } from '../../harness/start-connector.ts';

const ownedBy = (...ownerLogins: string[]) => ({ settings: { ownerLogins, maxUsers: 3 } });
const test = testWithStack({ config: { ...ownedBy('ada'), ircChannels: ['#room', '#old'] } });

/** The older process has the database; the newer one has other owners and channels. */
let newer: Beside;

test.beforeAll(async () => {
  await stack.signIn('ada');
  newer = await startServingBeside(stack, {}, { ...ownedBy('ada', 'bob'), ircChannels: ['#room', '#new'] });
});

afterAll(async () => {
  await newer?.process.stop();
});

const DIFFERENCE = 'other processes on this database have other settings';

const granted = (what: string, channels: readonly string[]): Promise<unknown> =>
  waitFor(what, async () => JSON.stringify(await channelsOfAda()) === JSON.stringify(channels));

test('each of two processes with other settings says so once, with the options and the other process', async () => {
  for (const [own, other] of [
    [stack.connector, newer.process],
    [newer.process, stack.connector],
  ] as const) {
    await waitFor('it warns', () => linesOf(own, DIFFERENCE).length > 0, { process: own });
    expect(linesOf(own, DIFFERENCE).map(({ differ }) => differ)).toEqual([
      [
        {
          process: expect.stringMatching(new RegExp(`^process ${other.pid} on `)),
          options: ['ircChannels', 'settings.ownerLogins'],
        },
      ],
    ]);
  }
});

test('the process that was started last decides who may come in, also where an older one has the database', async () => {
  await granted('the older process grants what the newer one has', ['#new', '#room']);

  // A person signs in at the older one, which does not name them.
  const bob = await stack.signIn('bob');

  expect((await bob.open(`${stack.baseUrl}/settings`)).body).toContain('#new');
  expect(linesOf(stack.connector, DIFFERENCE)).toHaveLength(1);
});

test('the doctor names the process whose settings differ, and the options', async () => {
  const [program, ...args] = connectorCommand(stack.configFile, 'doctor');
  const { stdout } = await execa(program, [...args, '--json'], { reject: false, timeout: 120_000 });
  const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; says: string }[] };

  const line = checks.find(({ name }) => name === 'processes');
  expect(line?.ok).toBe(false);
  expect(line?.says).toMatch(
    new RegExp(`process ${newer.process.pid} on .*, which was started last: process ${stack.connector.pid} on `),
  );
  expect(line?.says).toContain(' in ircChannels, settings.ownerLogins');
});

test('a reload of one process changes for all who may come in, and a further one is no second decision', async () => {
  await reload(ownedBy('ada', 'cleo'));

  await waitFor('the older process lets in whom the newer one names', () => stack.signIn('cleo'));
  await expect(stack.signIn('dora')).rejects.toThrow('dora');

  // A reload without a change leaves what another one has decided.
  stack.connector.kill('SIGHUP');
  await waitFor('it has reloaded', () => linesOf(stack.connector, 'configuration reloaded').length > 0);
  await granted('nothing changes', ['#new', '#room']);
});

test('a process that is restarted is the newest, and its settings decide, also once it has ended', async () => {
  await stack.restartConnector();
  await granted('the restarted process decides', ['#old', '#room']);
  await stack.connector.stop();

  await waitFor('the other one serves, and has the database', () => newer.process.output().includes('"ready"'));
  expect(await channelsOfAda()).toEqual(['#old', '#room']);
});

test('a process that only waits states what its reload has changed, so the warning about it ends', async () => {
  const same = { ...ownedBy('ada', 'cleo'), ircChannels: ['#room', '#new'] };
  const standby = await startBeside(stack, { ...same, ...ownedBy('ada', 'dora') });
  try {
    const process = newer.process;
    const last = () => linesOf(process, DIFFERENCE).at(-1);
    await waitFor('the one that serves warns', () => last()?.differ?.[0]?.options[0] === 'settings.ownerLogins', {
      process,
    });
    const ended = () => linesOf(process, 'have the same settings again').length;
    const before = ended();

    await reload(same, standby);

    await waitFor('the warning is over', () => ended() > before, { process });
  } finally {
    await standby.process.stop();
  }
});

/** Channels granted to the only account, whose person is an owner. */
async function channelsOfAda(): Promise<string[]> {
  const database = stack.database.connect();
  try {
    const rows: { channel: string }[] = await database('grants')
      .join('accounts', 'accounts.account_id', 'grants.account_id')
      .where('accounts.login', 'ada')
      .select('grants.channel');
    return rows.map(({ channel }) => channel).sort();
  } finally {
    await database.destroy();
  }
}

/** Changes the configuration of a process, by default the newer one, which reads it again. */
async function reload(change: object, { port, process }: Beside = newer): Promise<void> {
  const file = join(stack.folder, `beside-${port}`, 'connector.json');
  await writeFile(file, JSON.stringify({ ...(JSON.parse(await readFile(file, 'utf8')) as object), ...change }));
  process.kill('SIGHUP');
}

interface Line {
  msg: string;
  process: string;
  differ?: { process: string; options: string[] }[];
}

function linesOf({ output }: ManagedProcess, words: string): Line[] {
  return output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(words))
    .map((line) => JSON.parse(line) as Line);
}
