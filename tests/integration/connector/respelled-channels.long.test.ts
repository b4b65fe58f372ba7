import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { captured, historyOf } from '../../harness/history.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected } from '../../harness/person.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';

test('a channel that the configuration spells in another case stays the one that people were granted, with its history', async () => {
  await using stack = await startConnectorStack();
  await stack.invite('eve', ['#Ops']);
  await using ada = await agentIn(stack, 'ada', ['#room', '#Ops']);
  await using eve = await agentIn(stack, 'eve', ['#Ops']);
  using bob = await joinIrc(stack.ergo, 'bob', ['#Ops']);
  for (const agent of [ada, eve]) {
    await agent.call('go_online');
    await connected(agent);
  }
  bob.say('#Ops', 'before');
  for (const agent of [ada, eve]) await captured(agent, 'before', '#Ops');

  await reconfigure(stack, ['#ROOM', '#ops', '#third']);

  for (const agent of [ada, eve]) await connected(agent);
  bob.say('#Ops', 'after');
  for (const agent of [ada, eve]) {
    await captured(agent, 'after', '#ops');
    const texts = (await historyOf(agent, '#ops')).map(({ text }) => text).filter((text) => text !== '');
    expect(texts).toEqual(['before', 'after']);
  }
  const invited = await stack.invite('eve', ['#ops', '#third']);
  expect(await invited.json()).toMatchObject({ channels: ['#Ops', '#third'] });
  expect((await stack.invite('eve', ['#elsewhere'])).status).toBe(422);

  // Taken out, and back in another case: only the history is left of it.
  await reconfigure(stack, ['#room']);
  await reconfigure(stack, ['#room', '#OPS']);
  await stack.invite('eve', ['#OPS']);
  await using again = await agentIn(stack, 'eve', ['#Ops']);
  expect((await historyOf(again, '#OPS')).map(({ text }) => text)).toContain('before');
});

async function reconfigure(stack: ConnectorStack, ircChannels: readonly string[]): Promise<void> {
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as object;
  await writeFile(stack.configFile, JSON.stringify({ ...config, ircChannels }));
  await stack.restartConnector();
}
