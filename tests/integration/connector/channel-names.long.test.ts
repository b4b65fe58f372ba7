import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { captured } from '../../harness/history.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected } from '../../harness/person.ts';
import { becomes, heardFrom } from '../../harness/sending.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';
import { subscriberOf } from '../../harness/subscriber.ts';
import { startReceiver } from '../../harness/webhook-receiver.ts';

/** Names as people give them to channels; the last has as many characters as a name may have. */
const CHANNELS = ['##topic', '#topic', '##', '#c++', '#a#b', `##${'x'.repeat(62)}`];

test('channels whose names begin with two signs are joined, read and written by tools and paths, and are not those with one', async () => {
  await using stack = await startConnectorStack({
    config: { ircChannels: CHANNELS, events: { allowCallbackHosts: ['127.0.0.1'] } },
  });
  await using agent = await agentIn(stack, 'ada', CHANNELS);
  await using receiver = await startReceiver();
  using bob = await joinIrc(stack.ergo, 'bob', CHANNELS);
  await agent.call('go_online');
  await connected(agent);
  await subscriberOf(stack, agent).subscribed({ url: receiver.url, filters: { channel: '##topic' } });
  const at = (path: string, init: RequestInit = {}) =>
    fetch(`${stack.baseUrl}/v1/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${agent.accessToken}`, 'content-type': 'application/json' },
    });

  for (const channel of CHANNELS) {
    bob.say(channel, `ada: in ${channel}`);
    await captured(agent, `ada: in ${channel}`, channel);
    const listed = await at(`channels/${encodeURIComponent(channel.slice(1))}/messages?limit=1`);
    expect(await listed.json()).toMatchObject({ channel, entries: [{ text: `ada: in ${channel}` }] });
  }
  const body = JSON.stringify({ text: 'by the path' });
  const posted = await at('channels/%23topic/messages', { method: 'POST', body });
  const sent = await agent.call('send_message', { channel: '##TOPIC', text: 'by the tool' });
  await becomes(agent, sent, 'echoed');

  expect([posted.status, await posted.json()]).toEqual([202, { accepted: true, channel: '##topic' }]);
  expect(heardFrom(bob, 'ada')).toEqual(['by the path', 'by the tool']);
  expect(bob.lines.filter(({ sender, command }) => sender === 'ada' && command === 'PRIVMSG')).toMatchObject([
    { params: ['##topic', 'by the path'] },
    { params: ['##topic', 'by the tool'] },
  ]);
  const { joined_channels: joined } = (await (await at('status')).json()) as { joined_channels: string[] };
  expect(joined.toSorted()).toEqual(CHANNELS.toSorted());
  await waitFor('the mention is delivered', () => receiver.events().length > 0);
  expect(receiver.events().map(({ data }) => data['channel'])).toEqual(['##topic']);
  expect((await at('channels/%23c++/messages')).status).toBe(400);
  expect((await at('channels/%23nowhere/messages')).status).toBe(404);
});
