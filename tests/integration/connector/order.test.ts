import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { type HistoryEntry, startFlood } from '../../harness/flood.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { keptBySoju } from '../../harness/soju-history.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';

/** More than the bouncer tells at once. */
const MISSED_LINES = 1_200;
const LINES_PER_SECOND = 400;
const BATCH_LINES = 200;

let stack: ConnectorStack;
let agent: Agent;

beforeAll(async () => {
  stack = await startConnectorStack();
  const browser = await stack.signIn('ada');
  await browser.submit(await browser.open(`${stack.baseUrl}/settings`), { channel: ['#room'] }, '/settings');
  agent = await connectAgent(stack, 'ada');
  await agent.call('go_online');
});

afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
});

/** Everything unread, in the order it arrived. */
async function unreadOf(sessionId: unknown): Promise<HistoryEntry[]> {
  const unread: HistoryEntry[] = [];
  for (;;) {
    const place = { channel: '#room', session_id: sessionId };
    const { entries } = await agent.call('read_history', { ...place, mode: 'unread', limit: BATCH_LINES });
    const batch = entries as HistoryEntry[];
    const last = batch.at(-1);
    if (last === undefined) return unread;
    unread.push(...batch);
    await agent.call('ack_messages', { ...place, entry_id: last.entryId });
  }
}

test('lines said while missed ones are still being fetched arrive after them, each once', async () => {
  const { sessionId } = await agent.call('see_account_information');
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  await stack.kill('connector');
  for (let n = 0; n < MISSED_LINES; n += 1) bob.say('#room', `missed ${n}`);
  await waitFor('the bouncer has kept them', async () => (await keptBySoju(stack.folder)).length === MISSED_LINES);
  const flood = startFlood(bob, '#room', LINES_PER_SECOND);
  await stack.revive('connector');
  await waitFor('the session stands', async () => {
    const { lastReceived } = await agent.call('see_account_information');
    return lastReceived !== null;
  });
  await flood.spoken(BATCH_LINES);
  await flood.stop();
  bob.say('#room', 'the last');

  const newest = async () => {
    const { entries } = await agent.call('read_history', { channel: '#room', mode: 'recent', limit: 1 });
    return (entries as HistoryEntry[])[0]?.text;
  };
  await waitFor('the last line is in history', async () => (await newest()) === 'the last');
  const arrived = (await unreadOf(sessionId)).filter(({ kind }) => kind === 'message').map(({ text }) => text);

  expect(arrived).toEqual(await keptBySoju(stack.folder));
});
