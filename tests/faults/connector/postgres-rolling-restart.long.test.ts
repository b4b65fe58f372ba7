import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { askByAgent, askByFetch, BusyClients, type Caller, callerBy } from '../../harness/busy-clients.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected } from '../../harness/person.ts';
import { heardFrom } from '../../harness/sending.ts';
import { startTcpBalancer } from '../../harness/tcp-balancer.ts';
import { type Members, startMembers } from '../../harness/three-processes.ts';

/** Time in which a member goes on accepting connections: longer than the balancer needs to notice. */
const DRAIN_SECONDS = 2;
/** An account may post twenty times in a minute. */
const POST_PAUSE_MS = 3_600;

const test = testWithStack({ isUnpaced: true });

let ada: Agent;
let eve: Agent;
let bob: IrcClient;
let group: Members;

test.beforeAll(async () => {
  await stack.invite('eve');
  ada = await agentIn(stack, 'ada', ['#room']);
  eve = await agentIn(stack, 'eve', ['#room']);
  for (const each of [ada, eve]) {
    await each.call('go_online');
    await connected(each);
  }
  bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as { listen: Record<string, unknown> };
  const listen = { ...config.listen, drainSeconds: DRAIN_SECONDS };
  await writeFile(stack.configFile, JSON.stringify({ ...config, listen }));
  group = await startMembers(stack);
});

afterAll(async () => {
  bob?.[Symbol.dispose]();
  for (const part of [ada, eve, group]) await part?.[Symbol.asyncDispose]();
});

const ports = (): number[] => group.members.map(({ port }) => port);
const balancerPort = (): number => Number(new URL(stack.baseUrl).port);

let texts = 0;
let lines = 0;

for (const [what, startFront] of [
  ['a plain TCP balancer', startBalancer],
  ['nginx', startNginx],
] as const) {
  test(`no request behind ${what} fails while three processes are restarted one after another`, async () => {
    await using _front = await startFront();
    await waitFor('it passes requests on', async () => (await fetch(`${stack.baseUrl}/healthz`)).ok);
    await using clients = new BusyClients();
    const accepted: { text: string; messageId: unknown }[] = [];
    const asks = [askByFetch(stack.baseUrl), askByAgent(stack.baseUrl)];
    const [callers, eves] = [ada, eve].map(({ accessToken }) => asks.map((ask) => callerBy(ask, accessToken)));
    clients.add('bob speaks', 250, async () => {
      lines += 1;
      bob.say('#room', `line ${lines}`);
    });
    for (const caller of callers ?? []) {
      const { sessionId } = await caller.tool('see_account_information');
      clients.add('acknowledges', 100, await acknowledging(caller, sessionId));
      clients.add('reads by MCP', 100, () =>
        caller.tool('read_history', { channel: '#room', mode: 'recent', limit: 5 }),
      );
      clients.add('reads by REST', 50, () => caller.get('/v1/channels/room/messages?limit=5'));
      clients.add('asks for information', 100, () => caller.tool('see_account_information', { session_id: sessionId }));
      clients.add('sends', 200, async () => {
        const text = newText();
        const args = { channel: '#room', text, idempotency_key: text.replaceAll(' ', '-') };
        accepted.push({ text, messageId: (await caller.tool('send_message', args))['messageId'] });
      });
    }
    for (const caller of eves ?? []) clients.add('goes online', 300, () => caller.tool('go_online'));
    const [poster] = callers ?? [];
    clients.add('posts by REST', POST_PAUSE_MS, async () => {
      const text = newText();
      await poster?.post('/v1/channels/room/messages', { text });
      accepted.push({ text, messageId: undefined });
    });
    const allWork = () => waitFor('all clients work', () => Object.values(clients.times).every((times) => times > 1));
    await allWork();

    for (const member of group.members) await member.restart();
    await allWork();
    await clients.stop();

    expect(clients.failed).toEqual([]);
    const heard = () => heardFrom(bob, 'ada').filter((text) => accepted.some((each) => each.text === text));
    await waitFor('all that was sent is heard', () => heard().length >= accepted.length);
    expect(heard().toSorted()).toEqual(accepted.map(({ text }) => text).toSorted());
  });
}

async function startBalancer(): Promise<AsyncDisposable> {
  return startTcpBalancer(balancerPort(), ports());
}

/** nginx without checks of its own: it learns from refused connections alone that a server is not there. */
async function startNginx(): Promise<AsyncDisposable> {
  const { folder } = stack;
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/nginx-${name};`,
  );
  const servers = ports().map((port) => `server 127.0.0.1:${port} max_fails=0;`);
  const file = join(folder, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; pid ${folder}/nginx.pid; events {}
    http { access_log off; ${paths.join(' ')}
      upstream connectors { ${servers.join(' ')} keepalive 16; }
      server { listen 127.0.0.1:${balancerPort()};
        location / { proxy_pass http://connectors; proxy_http_version 1.1; proxy_set_header Connection "";
          proxy_set_header Host $http_host; } } }`,
  );
  const nginx = startProcess({ name: 'nginx', command: ['/usr/sbin/nginx', '-p', folder, '-e', 'stderr', '-c', file] });
  return { [Symbol.asyncDispose]: () => nginx.stop() };
}

/** Reads what bob says, acknowledges each line, and fails when a line is missing, comes twice, or in another order. */
async function acknowledging(caller: Caller, sessionId: unknown): Promise<() => Promise<void>> {
  const session = { channel: '#room', session_id: sessionId };
  const next = async () => {
    const { entries } = await caller.tool('read_history', { ...session, mode: 'unread', limit: 20 });
    return entries as { entryId: string; text: string }[];
  };
  for (let old = await next(); old.length > 0; old = await next()) {
    await caller.tool('ack_messages', { ...session, entry_id: old.at(-1)?.entryId });
  }
  let seen: number | undefined;
  return async () => {
    const entries = await next();
    const last = entries.at(-1);
    if (last === undefined) return;
    await caller.tool('ack_messages', { ...session, entry_id: last.entryId });
    const numbers = entries.flatMap(({ text }) => /^line (\d+)$/.exec(text)?.slice(1).map(Number) ?? []);
    const before = seen ?? (numbers[0] ?? 1) - 1;
    seen = numbers.at(-1) ?? seen;
    expect(numbers).toEqual(numbers.map((_, n) => before + 1 + n));
  };
}

function newText(): string {
  texts += 1;
  return `text ${texts}`;
}
