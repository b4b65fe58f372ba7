import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { historyOf } from '../../harness/history.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn } from '../../harness/person.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';

test('while the database is locked by another program sends are refused and lines wait, to be stored once when it is free', async () => {
  await using stack = await startConnectorStack();
  await using agent = await agentIn(stack, 'ada', ['#room']);
  await agent.call('go_online');
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  const said = async () => (await historyOf(agent, '#room')).map(({ text }) => text);
  const texts = Array.from({ length: 20 }, (_, n) => `while locked ${n}`);
  const lock = stack.database.connect();
  const held = await lock.transaction();
  // SQLite has one lock for all tables, which a write takes.
  await held.raw(
    stack.database.kind === 'sqlite' ? 'UPDATE leases SET name = name' : 'LOCK TABLE entries IN SHARE MODE',
  );
  for (const text of texts) bob.say('#room', text);

  // By then the program has waited for the lock as long as one statement may.
  const refused = await agent.attempt('send_message', { channel: '#room', text: 'no lock for this' });

  expect(JSON.stringify(refused)).toContain('the database does not answer at the moment');
  expect(await said()).not.toContain(texts[0]);
  await held.rollback();
  await lock.destroy();

  await waitFor('the last line is stored', async () => (await said()).includes(texts.at(-1) ?? ''));

  const kept = (await said()).filter((text) => text.startsWith('while locked'));
  expect(kept).toEqual(texts);
  expect(JSON.stringify(bob.lines)).not.toContain('no lock for this');
});
