import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { startFlood } from '../../harness/flood.ts';
import { newestText, unreadOf } from '../../harness/history.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn } from '../../harness/person.ts';
import { keptBySoju } from '../../harness/soju-history.ts';

/** Number of lines that were missed: more than the bouncer sends at once. */
const MISSED_LINES = 1_200;
const LINES_PER_SECOND = 400;
const BATCH_LINES = 200;

const test = testWithStack();

let agent: Agent;

test.beforeAll(async () => {
  agent = await agentIn(stack, 'ada', ['#room']);
  await agent.call('go_online');
});

afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
});

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

  await waitFor('the last line is in history', async () => (await newestText(agent)) === 'the last');
  const arrived = (await unreadOf(agent, sessionId)).filter(({ kind }) => kind === 'message').map(({ text }) => text);

  expect(arrived).toEqual(await keptBySoju(stack.folder));
});
