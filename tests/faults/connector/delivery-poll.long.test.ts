import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn } from '../../harness/person.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';
import { subscriberOf } from '../../harness/subscriber.ts';
import { challengeIn, startReceiver } from '../../harness/webhook-receiver.ts';

/** The poll, and what the programs wait for besides. */
const POLLED_MS = 7_000;

test('a delivery that is due without anybody’s word is found by the poll, within five seconds', async () => {
  verifies('connector.limit.event-poll-interval', 'connector.event.retries');
  await using stack = await startConnectorStack({ config: { events: { allowCallbackHosts: ['127.0.0.1'] } } });
  await using agent = await agentIn(stack, 'ada', ['#room']);
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  await using receiver = await startReceiver({
    answer: ({ body }, response) => {
      if (challengeIn(body) !== undefined) return undefined;
      response.writeHead(503).end();
      return 'answered';
    },
  });
  await agent.call('go_online');
  await bob.seen('ada', ({ command, sender }) => command === 'JOIN' && sender === 'ada');
  await subscriberOf(stack, agent).subscribed({ url: receiver.url });
  bob.say('#room', 'ada: hello');
  await waitFor('the first retry is over', () => receiver.requests.length === 3);
  receiver.answer = () => undefined;
  const database = stack.database.connect();
  // The second retry is half a minute away.
  await waitFor('it waits', async () => (await database('deliveries').first('attempts'))?.attempts === 2);

  await database('deliveries').update({ due_at: 0 });
  await waitFor('it is delivered', () => receiver.requests.length === 4, { timeoutMs: POLLED_MS });
  await database.destroy();

  const ids = receiver.requests.slice(1).map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
});
