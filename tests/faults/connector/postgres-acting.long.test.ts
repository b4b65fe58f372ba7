import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { connectAgent } from '../../harness/agent.ts';
import { type Beside, healthOf, startServingBeside, toolsAt } from '../../harness/beside.ts';
import { statusWith } from '../../harness/oauth-client.ts';
import { enableChannels } from '../../harness/person.ts';
import { type PostgresProxy, startPostgresProxy } from '../../harness/postgres-proxy.ts';
import { StandbyPair } from '../../harness/standby-pair.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** Time after which what was ended at one process is refused at the other one. */
const REFUSED_AFTER_MS = 1_000;
/** Longer than a process is trusted, and than it takes to count as dead. */
const FROZEN_MS = 20_000;

let stack: ConnectorStack;
let folder: Awaited<ReturnType<typeof tempFolder>>;
let proxy: PostgresProxy;
let pair: StandbyPair;
/** It serves without sessions, and reaches the database through the proxy. */
let reader: Beside;

const startReader = (): Promise<Beside> => startServingBeside(stack, { host: folder.path });

beforeAll(async () => {
  const server = inject('postgres');
  if (server === undefined) throw new Error('this test is of PostgreSQL');
  folder = await tempFolder();
  proxy = await startPostgresProxy(folder.path, server);
  stack = await startConnectorStack();
  await stack.invite('carol');
  pair = await StandbyPair.start(stack);
  await pair.waiting.process.stop();
  reader = await startReader();
  pair.waiting = reader;
});

afterAll(async () => {
  await pair?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
  await proxy?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

const keyOf = (text: string): string => text.replaceAll(' ', '-');

test('a send at the process without sessions is written by the other one, and answered with what became of it', async () => {
  const there = toolsAt(reader, pair.ada);
  const texts = ['sent there', 'sent there again', 'and once more'];
  for (const text of texts) {
    const sent = await there('send_message', { channel: '#room', text, idempotency_key: keyOf(text) });
    expect(['pending', 'queued', 'echoed']).toContain(sent['status']);
    await waitFor(`“${text}” is heard`, () => pair.heard(text).length > 0);
    const again = await there('send_message', { channel: '#room', text, idempotency_key: keyOf(text) });
    expect(again['messageId']).toBe(sent['messageId']);
  }

  for (const text of texts) {
    expect(pair.heard(text).filter((line) => line.endsWith(text))).toHaveLength(1);
    expect(await pair.timesStored(text)).toBe(1);
  }
});

test('the same key in parallel through both processes makes one line', async () => {
  const [here, there] = [toolsAt(pair.serving, pair.ada), toolsAt(reader, pair.ada)];
  const text = 'said once';
  const send = { channel: '#room', text, idempotency_key: keyOf(text) };

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? here : there)('send_message', send)),
  );

  expect(new Set(answers.map(({ messageId }) => messageId)).size).toBe(1);
  await waitFor('it is heard', () => pair.heard(text).length > 0);
  expect(await pair.timesStored(text)).toBe(1);
  await pair.say('after it');
  expect(pair.heard(text)).toHaveLength(1);
});

test('twenty of forty posts through two processes at once are accepted', async () => {
  const headers = { authorization: `Bearer ${pair.ada.accessToken}`, 'content-type': 'application/json' };
  const post = async ({ port }: Beside, n: number): Promise<number> => {
    const url = `http://127.0.0.1:${port}/v1/channels/room/messages`;
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ text: `post ${n}` }) })).status;
  };

  const statuses = await Promise.all(
    Array.from({ length: 40 }, (_, n) => post(n % 2 === 0 ? pair.serving : reader, n)),
  );

  expect(statuses.filter((status) => status === 202)).toHaveLength(20);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  await waitFor('they are heard', () => pair.heard('post ').length === 20);
});

/** What one process ends, and whether the other one still accepts it. */
interface Ending {
  what: string;
  begin(): Promise<{ end(): Promise<unknown>; isAccepted(): Promise<boolean> }>;
}

const isAnswered = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  );

const endings: Ending[] = [
  {
    what: 'a channel',
    begin: async () => {
      await enableChannels(stack, 'ada', ['#room']);
      const there = toolsAt(reader, pair.ada);
      return {
        end: () => enableChannels(stack, 'ada', []),
        isAccepted: () => isAnswered(there('read_history', { channel: '#room', mode: 'recent', limit: 1 })),
      };
    },
  },
  {
    what: 'a consent with its token',
    begin: async () => {
      const agent = await connectAgent(stack, 'carol');
      return {
        end: async () => {
          const browser = await stack.signIn('carol');
          const settings = await browser.open(`${stack.baseUrl}/settings`);
          await browser.submit(settings, {}, '/settings/agents/revoke');
        },
        isAccepted: async () =>
          (await statusWith({ baseUrl: `http://127.0.0.1:${reader.port}` }, agent.accessToken)) === 200,
      };
    },
  },
  {
    what: 'a person’s sign-in',
    begin: async () => {
      const browser = await stack.signIn('carol');
      const settings = await browser.open(`${stack.baseUrl}/settings`);
      const cookie = browser
        .cookies(`${stack.baseUrl}/settings`)
        .map((pair) => pair.join('='))
        .join('; ');
      const headers = { cookie, accept: 'text/html' };
      const url = `http://127.0.0.1:${reader.port}/settings`;
      return {
        end: () => browser.submit(settings, {}, '/logout'),
        isAccepted: async () => (await fetch(url, { headers, redirect: 'manual' })).status === 200,
      };
    },
  },
];

for (const line of ['stands', 'is cut without a word']) {
  for (const { what, begin } of endings) {
    test(`${what} that is ended at one process is refused at the other one a second later, while the connection for notices ${line}`, async () => {
      if (line !== 'stands') proxy.deafen();
      const { end, isAccepted } = await begin();
      await waitFor('it is accepted', isAccepted);

      await end();
      await delay(REFUSED_AFTER_MS);

      expect(await isAccepted()).toBe(false);
    });
  }
}

test('a send is written also while the connection for notices is cut', async () => {
  await enableChannels(stack, 'ada', ['#room']);
  const there = toolsAt(reader, pair.ada);
  const text = 'without a notice';
  await waitFor('the channel is enabled there', async () => {
    await there('send_message', { channel: '#room', text, idempotency_key: keyOf(text) });
    return true;
  });

  await waitFor('it is heard', () => pair.heard(text).length > 0);
  expect(pair.heard(text)).toHaveLength(1);
});

test('a process that was frozen for twenty seconds answers none of the requests of that time with what it had in memory, and ends, because another one acts for its accounts', async () => {
  const read = () => toolsAt(reader, pair.ada)('read_history', { channel: '#room', mode: 'recent', limit: 1 });
  await waitFor('it reads', read);

  reader.process.kill('SIGSTOP');
  await enableChannels(stack, 'ada', []);
  const asked = Array.from({ length: 20 }, () => isAnswered(read()));
  await delay(FROZEN_MS);
  reader.process.kill('SIGCONT');

  expect(await Promise.all(asked)).toEqual(asked.map(() => false));
  expect(await reader.process.ended).toMatchObject({ exitCode: 1 });
  reader = await startReader();
  pair.waiting = reader;
  expect(await isAnswered(read())).toBe(false);
  await enableChannels(stack, 'ada', ['#room']);
  await waitFor('it reads again', read);
});

test('a process that is killed is forgotten within seconds', async () => {
  const database = stack.database.connect();
  const entered = async (): Promise<number> => {
    const rows: unknown[] = await database('processes').whereNotNull('reads_since').select('process_id');
    return rows.length;
  };
  expect(await entered()).toBe(1);

  reader.process.kill('SIGKILL');
  await waitFor('its row is gone', async () => (await entered()) === 0);

  await database.destroy();
  reader = await startReader();
  pair.waiting = reader;
  expect((await healthOf(reader))?.status).toBe(200);
});
