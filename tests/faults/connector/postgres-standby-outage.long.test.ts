import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../../../scripts/stack/postgres.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { healthOf } from '../../harness/beside.ts';
import { StandbyPair } from '../../harness/standby-pair.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { ownServerDatabase } from '../../harness/test-database.ts';

/** Longer than a process is trusted without an answer, and than it lives for others without one. */
const OUTAGE_MS = 12_000;

let folder: Awaited<ReturnType<typeof tempFolder>>;
let server: Postgres;
let stack: ConnectorStack;
let pair: StandbyPair;

beforeAll(async () => {
  folder = await tempFolder();
  server = await startPostgres({ folder: folder.path });
  stack = await startConnectorStack({ database: ownServerDatabase(server) });
  pair = await StandbyPair.start(stack);
});

afterAll(async () => {
  await pair?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
  await server?.stop();
  await folder?.[Symbol.asyncDispose]();
});

const start = async (): Promise<void> => {
  server = await startPostgres({ folder: folder.path, port: server.port });
};

/** The server's own process, and those that serve its clients, each of which is in a group of its own. */
async function processesOf({ process: { pid } }: Postgres): Promise<number[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(
    numbers.map(async (number) => {
      const stat = await readFile(`/proc/${number}/stat`, 'utf8').catch(() => '');
      return { number: Number(number), parent: Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]) };
    }),
  );
  return [pid, ...parents.filter(({ parent }) => parent === pid).map(({ number }) => number)];
}

let hanging: number[] = [];

const FATES: readonly [fate: string, end: () => Promise<void>, mend: () => Promise<void>][] = [
  ['is stopped', () => server.stop(), start],
  ['has crashed', () => server.crash(), start],
  [
    'hangs',
    async () => {
      hanging = await processesOf(server);
      for (const pid of hanging) process.kill(pid, 'SIGSTOP');
    },
    async () => {
      for (const pid of hanging) process.kill(pid, 'SIGCONT');
    },
  ],
];

/** Waits until one of both processes serves, which may be either, and the other one waits, or has ended and is replaced. */
async function settle(): Promise<void> {
  const both = [pair.serving, pair.waiting];
  const serving = await waitFor('one of them serves', async () => {
    for (const each of both) if ((await healthOf(each))?.status === 200) return each;
    return undefined;
  });
  const other = both.find((each) => each !== serving);
  if (other === undefined) throw new Error('there are two processes');
  pair.serving = serving;
  pair.waiting = other;
  await pair.online();
}

for (const [fate, end, mend] of FATES) {
  test(`while the server ${fate} neither process says or takes anything; afterwards one serves, and nothing is lost or doubled`, async () => {
    const [before, during, after] = [`before it ${fate}`, `said while it ${fate}`, `after it ${fate}`];
    await pair.say(before);
    const movements = pair.movements();
    const waited = pair.waiting;
    await end();
    pair.bob.say('#room', during);
    await expect(pair.call('send_message', { channel: '#room', text: `sent while it ${fate}` })).rejects.toThrow();
    await delay(OUTAGE_MS);
    expect((await healthOf(waited))?.body).toEqual({ ok: false, reason: 'standby' });
    await mend();

    await settle();
    await pair.stored(during);
    await pair.say(after);

    expect(await pair.counts([before, during, after, `sent while it ${fate}`])).toEqual({
      [before]: { stored: 1, heard: 1 },
      [during]: { stored: 1, heard: 0 },
      [after]: { stored: 1, heard: 1 },
      [`sent while it ${fate}`]: { stored: 0, heard: 0 },
    });
    expect(pair.movements()).toBe(movements);
    if (pair.serving === waited) {
      // The other one has lost the database to it.
      expect((await pair.waiting.process.ended).exitCode).toBe(1);
      await pair.replace();
    } else expect(await healthOf(pair.waiting)).toMatchObject({ status: 503 });
  });
}
