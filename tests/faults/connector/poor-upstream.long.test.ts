import { expect, test } from 'vitest';
import { startNgircd } from '../../../scripts/stack/ngircd.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn } from '../../harness/person.ts';
import { becomes, heardFrom } from '../../harness/sending.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';

test('five sends at once to a server without echoes are each said once and echoed', async () => {
  await using stack = await startConnectorStack({ startServer: startNgircd });
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  await using agent = await agentIn(stack, 'ada', ['#room']);
  await agent.call('go_online');
  const texts = Array.from({ length: 5 }, (_, n) => `one of five ${n}`);

  const sent = await Promise.all(texts.map((text) => agent.call('send_message', { channel: '#room', text })));

  for (const each of sent) await becomes(agent, each, 'echoed');
  expect(
    heardFrom(bob, 'ada')
      .filter((text) => texts.includes(text))
      .toSorted(),
  ).toEqual(texts);
});
