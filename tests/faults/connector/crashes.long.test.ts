import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { startFlood } from '../../harness/flood.ts';
import { captured, gapsOf, textsOf } from '../../harness/history.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn } from '../../harness/person.ts';
import { keptBySoju } from '../../harness/soju-history.ts';

const LINES_PER_SECOND = 200;
const LINES_BETWEEN_CRASHES = 150;

const test = testWithStack();

let agent: Agent;

test.beforeAll(async () => {
  agent = await agentIn(stack, 'ada', ['#room']);
  await agent.call('go_online');
});

afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
});

const said = (): Promise<string[]> => textsOf(agent);

test('a connector killed again and again under 200 lines a second has every line once and in order', async () => {
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  const flood = startFlood(bob, '#room', LINES_PER_SECOND);
  for (let round = 0; round < 3; round += 1) {
    await flood.spoken(LINES_BETWEEN_CRASHES);
    await stack.kill('connector');
    await flood.spoken(LINES_BETWEEN_CRASHES);
    await stack.revive('connector');
  }
  await flood.spoken(LINES_BETWEEN_CRASHES);
  const lines = await flood.stop();
  bob.say('#room', 'the last of the first');

  const kept = await expectHistoryToBeWhatWasKept('the last of the first');

  expect(kept).toHaveLength(lines + 1);
  expect(await gapsOf(agent)).toEqual([]);
});

test('a bouncer killed under 200 lines a second costs only what it did not keep, and the time shows as a gap', async () => {
  using bob = await joinIrc(stack.ergo, 'bob2', ['#room']);
  const flood = startFlood(bob, '#room', LINES_PER_SECOND);
  await flood.spoken(LINES_BETWEEN_CRASHES);
  await stack.kill('soju');
  await flood.spoken(LINES_BETWEEN_CRASHES);
  await stack.revive('soju');
  await bob.seen('ada back', ({ command, sender }) => command === 'JOIN' && sender === 'ada');
  await flood.spoken(LINES_BETWEEN_CRASHES);
  await flood.stop();
  bob.say('#room', 'the last of the second');

  await captured(agent, 'the last of the second');
  const [history, kept] = [await said(), await keptBySoju(stack.folder)];

  // Live lines that the bouncer had not stored when it died are additional.
  expect(history.filter((text) => kept.includes(text))).toEqual(kept);
  expect(new Set(history).size).toBe(history.length);
  expect(await gapsOf(agent)).toMatchObject([{ gap: { reason: 'disconnected' } }]);
});

test('after an IRC server is killed under 200 lines a second the connection is back within seconds, and nothing is doubled', async () => {
  const lost = await joinIrc(stack.ergo, 'bob3', ['#room']);
  const flood = startFlood(lost, '#room', LINES_PER_SECOND);
  await flood.spoken(LINES_BETWEEN_CRASHES);
  const ended = flood.stop();
  await stack.kill('ergo');
  await ended;
  lost[Symbol.dispose]();
  await waitFor('the loss is known', async () => {
    const information = await agent.call('see_account_information');
    return information['upstreamConnected'] === false && information['lastDisconnectedAt'] !== null;
  });
  await stack.revive('ergo');
  using bob = await joinIrc(stack.ergo, 'bob4', ['#room']);
  await bob.seen('ada back', ({ command, sender }) => command === 'JOIN' && sender === 'ada');
  bob.say('#room', 'the last of the third');

  await captured(agent, 'the last of the third');
  const [history, kept] = [await said(), new Set(await keptBySoju(stack.folder))];

  expect(history.filter((text) => kept.has(text))).toEqual([...kept]);
  expect(new Set(history).size).toBe(history.length);
});

/** Waits until history is as long as the bouncer's; then both must be equal. */
async function expectHistoryToBeWhatWasKept(last: string): Promise<string[]> {
  await captured(agent, last);
  const [history, kept] = [await said(), await keptBySoju(stack.folder)];
  expect(history).toEqual(kept);
  return kept;
}
