import { expect, inject, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Beside, healthOf, serves, startBeside, toolsAt } from '../../harness/beside.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected } from '../../harness/person.ts';
import { startPostgresProxy } from '../../harness/postgres-proxy.ts';
import { heardFrom } from '../../harness/sending.ts';
import { clockShiftedBy } from '../../harness/shifted-clock.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { serverDatabase } from '../../harness/test-database.ts';

/** Time without a takeover: longer than one takes, by the database's clock. */
const NO_TAKEOVER_MS = 15_000;

test('a process that is cut off from the database is taken over, and says nothing from the moment in which it can’t be sure', async () => {
  const { stack, proxy, direct } = await open();
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  const ada = await agentIn(stack, 'ada', ['#room']);
  onTestFinished(() => ada[Symbol.asyncDispose]());
  await ada.call('go_online');
  await connected(ada);
  const waiting = await beside(stack, direct);
  const heard = (text: string) => heardFrom(bob, 'ada').filter((line) => line === text);
  const send = (tools: ReturnType<typeof toolsAt>, text: string) =>
    tools('send_message', { channel: '#room', text, idempotency_key: text });
  const first = toolsAt({ port: Number(new URL(stack.baseUrl).port) }, ada);
  await send(first, 'before');
  await waitFor('it is heard', () => heard('before').length === 1);

  await seenByHolder(stack);
  proxy.cut();
  const late = send(first, 'into-the-cut').catch(() => undefined);
  await serves(waiting);
  // A balancer must not go on asking the one that is cut off.
  const cutOff = await healthOf({ port: Number(new URL(stack.baseUrl).port) });
  expect(cutOff).toEqual({ status: 503, body: { ok: false, reason: 'database' } });
  const second = toolsAt(waiting, ada);
  await waitFor('the other one sends', () => send(second, 'after').then(() => true));
  bob.say('#room', 'said after the cut');
  proxy.mend();

  expect((await stack.connector.ended).exitCode).toBe(1);
  await late;
  await waitFor('it is heard', () => heard('after').length === 1);
  const { entries } = await waitFor('all is stored', async () => {
    const page = await second('read_history', { channel: '#room', mode: 'recent', limit: 200 });
    return JSON.stringify(page).includes('said after the cut') ? page : undefined;
  });
  const texts = (entries as { text: string }[]).map(({ text }) => text);
  for (const text of ['before', 'after', 'said after the cut']) {
    expect([text, texts.filter((one) => one === text).length]).toEqual([text, 1]);
  }
  expect(['before', 'after'].map((text) => heard(text).length)).toEqual([1, 1]);
  expect(heard('into-the-cut').length).toBeLessThanOrEqual(1);
});

test('a process keeps the database when its open connections pass nothing any more, and new ones work', async () => {
  const { stack, proxy, direct } = await open();
  const waiting = await beside(stack, direct);

  proxy.forget();
  // Both answer meanwhile, so the one that waits looks every two seconds.
  const until = performance.now() + NO_TAKEOVER_MS;
  await waitFor('a takeover would be over', async () => {
    expect(await healthOf(waiting)).toEqual({ status: 503, body: { ok: false, reason: 'standby' } });
    return performance.now() >= until;
  });

  expect(await healthOf({ port: Number(new URL(stack.baseUrl).port) })).toMatchObject({ status: 200 });
});

test('a standby whose clock is two minutes off takes nothing, in either direction; one that is ten seconds off is not ready', async () => {
  const { stack, direct } = await open();
  const wrong = [
    await beside(stack, direct, await clockShiftedBy(stack.folder, 120)),
    await beside(stack, direct, await clockShiftedBy(stack.folder, -120)),
  ];
  await stack.kill('connector');
  await silentFor(stack, NO_TAKEOVER_MS, wrong.length);

  for (const { port, process } of wrong) {
    expect(await healthOf({ port })).toEqual({ status: 503, body: { ok: false, reason: 'standby' } });
    expect(process.output()).toContain('the clock of this machine differs from that of the database');
  }
  const off = await beside(stack, direct, await clockShiftedBy(stack.folder, -10));
  await waitFor('it has taken over', async () => JSON.stringify(await healthOf(off)).includes('clock'));
  expect(await healthOf(off)).toEqual({ status: 503, body: { ok: false, reason: 'clock' } });
});

/**
 * Resolves when all processes that live have been seen `ms` milliseconds after the one that has the database was seen
 * last.
 */
async function silentFor({ database }: ConnectorStack, ms: number, waiting: number): Promise<void> {
  const connection = database.connect();
  try {
    await waitFor('the one that died is silent for long enough', async () => {
      const seen: { has_slot: boolean; seen_at: number | string }[] = await connection('processes').select(
        connection.raw('process_id = (SELECT process_id FROM slots) AS has_slot'),
        'seen_at',
      );
      const last = Number(seen.find(({ has_slot: hasSlot }) => hasSlot)?.seen_at ?? Number.NaN);
      return seen.filter(({ seen_at: at }) => Number(at) - last > ms).length === waiting;
    });
  } finally {
    await connection.destroy();
  }
}

/** Resolves after two heartbeats of the process that has the database: the second one has seen which others wait. */
async function seenByHolder({ database }: ConnectorStack): Promise<void> {
  const connection = database.connect();
  try {
    const beats = new Set<unknown>();
    await waitFor('the one that serves has sent two heartbeats', async () => {
      const [holder] = await connection('processes')
        .whereRaw('process_id = (SELECT process_id FROM slots)')
        .select('seen_at');
      return beats.add(holder?.seen_at).size === 3;
    });
  } finally {
    await connection.destroy();
  }
}

/** A stack that reaches its database through a proxy, and what else the tests need of it. */
async function open() {
  const given = inject('postgres');
  if (given === undefined) throw new Error('there is no PostgreSQL in this run');
  const folder = await tempFolder();
  const proxy = await startPostgresProxy(folder.path, given);
  const own = await serverDatabase(given);
  const direct = own.config;
  const database = { ...own, config: { postgres: { ...direct.postgres, host: folder.path } } } as typeof own;
  const stack = await startConnectorStack({ database });
  onTestFinished(async () => {
    await stack[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  return { stack, proxy, direct: { database: direct } };
}

async function beside(...args: Parameters<typeof startBeside>): Promise<Beside> {
  const started = await startBeside(...args);
  onTestFinished(() => started.process.stop());
  return started;
}
