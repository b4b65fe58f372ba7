import { randomBytes, randomUUID } from 'node:crypto';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { listens } from '../../../scripts/stack/irc-server.ts';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { blocksOf } from '../../harness/guide-blocks.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { postMcp } from '../../harness/oauth-client.ts';
import { agentIn, connected, informationOf } from '../../harness/person.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const CHANNEL = '#room';
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

/** The guide's receiver, and what the guide sends to subscribe it. */
const [receiver = ''] = blocksOf('webhooks.md', 'js');
const [subscription = ''] = blocksOf('webhooks.md', 'json');

const test = testWithStack({ config: { events: { allowCallbackHosts: ['127.0.0.1'] } } });

let folder: { path: string } & AsyncDisposable;
let agent: Agent;
let grace: IrcClient;
let running: ManagedProcess;
let url: string;

test.beforeAll(async () => {
  folder = await tempFolder();
  const port = await freePort();
  url = `http://127.0.0.1:${port}/mentions`;
  await writeFile(join(folder.path, 'receiver.mjs'), receiver);
  // The link stands for what `npm install` would have put there.
  await symlink(join(import.meta.dirname, '../../../node_modules'), join(folder.path, 'node_modules'));
  running = startProcess({
    name: 'receiver',
    command: [process.execPath, 'receiver.mjs'],
    cwd: folder.path,
    env: { PORT: String(port), WEBHOOK_SECRET: SECRET },
  });
  await waitFor('the receiver listens', () => listens('127.0.0.1', port), { process: running });
  agent = await agentIn(stack, 'ada', [CHANNEL]);
  await agent.call('go_online');
  await connected(agent);
  grace = await joinIrc(stack.ergo, 'grace', [CHANNEL]);
});

afterAll(async () => {
  grace?.[Symbol.dispose]();
  await agent?.[Symbol.asyncDispose]();
  await running?.stop();
  await folder?.[Symbol.asyncDispose]();
});

const printedText = (text: string): Record<string, unknown>[] =>
  printed().filter((mention) => mention['text'] === text);

test('the receiver has at most the thirty lines that the guide promises', () => {
  expect(receiver).toContain('createServer');
  expect(receiver.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
});

test('a reader who follows the guide receives a mention', async () => {
  const request = JSON.parse(subscription) as { params: { arguments: object; delivery: object } };
  request.params.arguments = { channel: CHANNEL };
  Object.assign(request.params.delivery, { url, secret: SECRET });

  const answer = await postMcp(stack, request, { authorization: `Bearer ${agent.accessToken}` });

  expect(await answer.json()).toMatchObject({ result: { id: expect.stringMatching(/^sub_/), truncated: false } });
  const { nick } = await informationOf(agent);
  const text = `${nick}: are you there? ${randomUUID()}`;
  grace.say(CHANNEL, text);
  const mention = await waitFor('the receiver prints it', () => printedText(text)[0], { process: running });
  expect(Object.keys(mention).sort()).toEqual([
    'channel',
    'entryId',
    'kind',
    'network',
    'observedAt',
    'sender',
    'text',
  ]);
  expect(mention).toMatchObject({ network: 'main', channel: CHANNEL, sender: 'grace', kind: 'message' });
  const { entries } = await agent.call('read_history', { channel: CHANNEL, mode: 'recent' });
  expect(entries).toContainEqual(expect.objectContaining({ entryId: mention['entryId'], text }));
});

/** A delivery as the connector would make it. */
async function deliver(text: string, { eventId = randomUUID(), secret = SECRET } = {}): Promise<number> {
  const body = JSON.stringify({ eventId, name: 'message.mention', data: { text } });
  const sentAt = new Date();
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(eventId, sentAt, body),
    },
    body,
  });
  return answer.status;
}

test('the receiver refuses deliveries without the secret, and prints a repeated one once', async () => {
  const [eventId, text, forged, last] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];

  const statuses = [
    await deliver(forged, { secret: `whsec_${randomBytes(32).toString('base64')}` }),
    await deliver(text, { eventId }),
    await deliver(text, { eventId }),
    await deliver(last),
  ];

  expect(statuses).toEqual([401, 204, 204, 204]);
  await waitFor('the receiver prints the last one', () => printedText(last).length > 0, { process: running });
  expect([printedText(text).length, printedText(forged).length]).toEqual([1, 0]);
});

function printed(): Record<string, unknown>[] {
  return running
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
