import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { captured, historyOf } from '../../harness/history.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected } from '../../harness/person.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';
import { subscriberOf } from '../../harness/subscriber.ts';
import { startReceiver } from '../../harness/webhook-receiver.ts';

const ENTRIES_KEPT = 100;
const QUIET_LINES = 40;
const BUSY_LINES = 120;

test('lines of a quiet channel that a busy one pushed out do not come back when the program starts again, nor do their mentions', async () => {
  await using stack = await startConnectorStack({
    config: { retention: { entriesPerAccount: ENTRIES_KEPT }, events: { allowCallbackHosts: ['127.0.0.1'] } },
  });
  await using agent = await agentIn(stack, 'ada', ['#room', '#Ops']);
  await using receiver = await startReceiver();
  using bob = await joinIrc(stack.ergo, 'bob', ['#room', '#Ops']);
  await agent.call('go_online');
  await connected(agent);
  await subscriberOf(stack, agent).subscribed({ url: receiver.url });
  for (let n = 0; n < QUIET_LINES; n += 1) bob.say('#Ops', `ada: quiet ${n}`);
  await captured(agent, `ada: quiet ${QUIET_LINES - 1}`, '#Ops');
  for (let n = 0; n < BUSY_LINES; n += 1) bob.say('#room', `busy ${n}`);
  await captured(agent, `busy ${BUSY_LINES - 1}`);
  await waitFor('all mentions are delivered', () => receiver.events().length === QUIET_LINES);

  await stack.restartConnector();
  await waitFor('retention has passed', async () => (await historyOf(agent, '#Ops')).length === 0);
  await stack.restartConnector();
  await connected(agent);
  for (const channel of ['#room', '#Ops']) {
    bob.say(channel, `the end of ${channel}`);
    await captured(agent, `the end of ${channel}`, channel);
  }

  expect((await historyOf(agent, '#Ops')).map(({ text }) => text)).toEqual(['the end of #Ops']);
  expect(receiver.events()).toHaveLength(QUIET_LINES);
  const database = stack.database.connect();
  const [count] = await database('entries').count({ rows: '*' });
  await database.destroy();
  // The newest of those kept, and what was said since.
  expect(Number(count?.['rows'])).toBeLessThanOrEqual(ENTRIES_KEPT + 2);
});
