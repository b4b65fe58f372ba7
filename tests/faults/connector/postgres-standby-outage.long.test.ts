import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../../../scripts/stack/postgres.ts';
import { healthOf } from '../../harness/beside.ts';
import { StandbyPair } from '../../harness/standby-pair.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { ownServerDatabase } from '../../harness/test-database.ts';

/**
 * Duration of the outage: longer than a process is trusted without an answer, and longer than others count it as alive
 * without one.
 */
const OUTAGE_MS = 15_000;

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

for (const [fate, end, mend] of FATES) {
  test(`while the server ${fate} neither process says or takes anything; afterwards the same one serves, and nothing is lost or doubled`, async () => {
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

    await pair.online();
    await pair.stored(during);
    await pair.say(after);

    expect(await pair.counts([before, during, after, `sent while it ${fate}`])).toEqual({
      [before]: { stored: 1, heard: 1 },
      [during]: { stored: 1, heard: 0 },
      [after]: { stored: 1, heard: 1 },
      [`sent while it ${fate}`]: { stored: 0, heard: 0 },
    });
    expect(pair.movements()).toBe(movements);
    expect(await healthOf(pair.serving)).toMatchObject({ status: 200 });
    expect((await healthOf(waited))?.body).toEqual({ ok: false, reason: 'standby' });
    // The log says what to do, and not which statement had no answer.
    const beats = [pair.serving, waited].flatMap(({ process }) =>
      process
        .output()
        .split('\n')
        .filter((line) => line.includes('has not answered a heartbeat')),
    );
    expect(beats).not.toEqual([]);
    expect(beats.filter((line) => /insert|select/i.test(line))).toEqual([]);
  });
}

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
