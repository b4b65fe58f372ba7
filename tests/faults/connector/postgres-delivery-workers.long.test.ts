import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { afterEach, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type CrowdedReceiver, crowdedReceiver } from '../../harness/crowded-receiver.ts';
import type { WorkerArguments } from '../../harness/delivery-worker-main.ts';
import { open, testWithNewStore } from '../../harness/fixtures/open-store.ts';
import { heard, subscribed } from '../../harness/mentions.ts';
import { clockShiftedBy } from '../../harness/shifted-clock.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { RECEIVER_SECRET } from '../../harness/webhook-receiver.ts';

const WORKER = join(import.meta.dirname, '../../harness/delivery-worker-main.ts');
const YEAR_MS = 365 * 24 * 3_600_000;
const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
const SUBSCRIPTIONS_AT_HOST = 5;
const ROUNDS = 6;
const TEXTS_OF_ROUND = 10;
/** Clocks of the workers, in seconds off the right time. */
const CLOCKS = [0, 25, -25];
/** Longest time between two deaths. */
const LIFE_MS = 3_000;
const MOST_OF_HOST = 16;
const MOST_OF_ACCOUNT_AT_HOST = 8;

const test = testWithNewStore();

let receiver: CrowdedReceiver;
let folder: Awaited<ReturnType<typeof tempFolder>>;
let workers: Awaited<ReturnType<typeof startWorker>>[] = [];

test.beforeEach(async () => {
  receiver = await crowdedReceiver();
  folder = await tempFolder();
});

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  workers = [];
  await receiver[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const waiting = async (): Promise<number> => (await open.store.deliveries.counts()).waiting;

test('while processes that deliver are killed and replaced, each mention is delivered, under one id, never twice at once, and within the limits of all together', async () => {
  const nicks = ['ada', 'eve', 'mal'];
  const accounts = await makeAccounts(nicks);
  await startWorkers();

  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, account] of accounts.entries()) {
      const texts = Array.from({ length: TEXTS_OF_ROUND }, (_, n) => `${nicks[index]}: ${round} ${n}`);
      await heard(open, account, texts);
    }
    await delay(Math.random() * LIFE_MS);
    const index = round % workers.length;
    const killed = workers[index];
    await killed?.kill();
    workers[index] = await startWorker(killed?.clockSeconds ?? 0);
  }
  await waitFor('all is delivered and settled', async () => (await waiting()) === 0);

  const wanted = nicks.flatMap((nick) =>
    Array.from({ length: ROUNDS * TEXTS_OF_ROUND }, (_, n) => {
      const text = `${nick}: ${Math.floor(n / TEXTS_OF_ROUND)} ${n % TEXTS_OF_ROUND}`;
      return HOSTS.flatMap((host) =>
        Array.from({ length: SUBSCRIPTIONS_AT_HOST }, (__, at) => `${host} /${nick}/${at} ${text}`),
      );
    }).flat(),
  );
  expect([...receiver.idsOf.keys()].toSorted()).toEqual(wanted.toSorted());
  expect([...receiver.idsOf.values()].filter((ids) => ids.size > 1)).toEqual([]);
  expect(receiver.twiceAtOnce).toEqual([]);
  expect(receiver.mostOf('host')).toBeLessThanOrEqual(MOST_OF_HOST);
  expect(receiver.mostOf('account at host')).toBeLessThanOrEqual(MOST_OF_ACCOUNT_AT_HOST);
});

/** A process that delivers, whose clock is off by so many seconds. */
async function startWorker(clockSeconds: number) {
  const { choice, sealKey } = open.opened;
  const given: WorkerArguments = { choice, sealKey: sealKey.toString('base64') };
  const child = execa(process.execPath, [WORKER, JSON.stringify(given)], {
    env: await clockShiftedBy(folder.path, clockSeconds),
    reject: false,
    buffer: false,
    stderr: 'inherit',
  });
  const [processId] = await Promise.race([
    once(child.stdout, 'data'),
    child.then(() => Promise.reject(new Error('a worker ended before it worked'))),
  ]);
  return {
    clockSeconds,
    processId: String(processId).trim(),
    kill: async () => {
      child.kill('SIGKILL');
      await child;
    },
  };
}

async function startWorkers(): Promise<void> {
  workers = await Promise.all(CLOCKS.map((seconds) => startWorker(seconds)));
}

/** Makes accounts whose agents all have receivers at the same few hosts. */
async function makeAccounts(nicks: readonly string[]): Promise<string[]> {
  const accounts = await Promise.all(nicks.map((nick) => open.account(nick)));
  for (const [index, account] of accounts.entries()) {
    for (const host of HOSTS) {
      for (let n = 0; n < SUBSCRIPTIONS_AT_HOST; n += 1) {
        const url = `http://${host}:${receiver.port}/${nicks[index]}/${n}`;
        await subscribed(open, account, { url, secret: RECEIVER_SECRET, lifeMs: 10 * YEAR_MS });
      }
    }
  }
  return accounts;
}
