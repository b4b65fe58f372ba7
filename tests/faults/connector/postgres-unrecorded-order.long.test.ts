import { afterAll, expect, inject } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Beside, healthOf, startServingBeside, toolsAt } from '../../harness/beside.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { agentIn } from '../../harness/person.ts';

const test = testWithStack();

/** It has the accounts. */
let holder: Beside;
/** It serves without sessions. */
let reader: Beside;

test.beforeAll(async () => {
  if (inject('postgres') === undefined) throw new Error('this test is of PostgreSQL');
  holder = { port: Number(new URL(stack.baseUrl).port), metricsPort: Number.NaN, process: stack.connector };
  reader = await startServingBeside(stack);
});

afterAll(async () => {
  stack?.soju.process.kill('SIGCONT');
  await reader?.process.stop();
});

test('a process that gets no answer of the database when an order of another process ends goes on afterwards', async () => {
  await using ada = await agentIn(stack, 'ada', ['#room']);
  const database = stack.database.connect();
  const [here, there] = [toolsAt(holder, ada), toolsAt(reader, ada)];
  stack.soju.process.kill('SIGSTOP');
  const lock = await database.transaction();
  await lock.raw('LOCK TABLE processes IN EXCLUSIVE MODE');
  const asked = there('go_online').catch(() => undefined);
  await waitFor('the order is taken', async () => (await database('orders').whereNotNull('taken_by')).length === 1);
  await waitFor('the one that has the accounts trusts itself no more', () =>
    here('read_history', { channel: '#room', mode: 'recent', limit: 1 }).then(
      () => false,
      () => true,
    ),
  );
  stack.soju.process.kill('SIGCONT');
  await waitFor('the order ends without a record', () =>
    holder.process.output().includes('the outcome of an order could not be stored yet'),
  );
  await lock.rollback();

  await waitFor('it answers', async () => (await healthOf(holder))?.status === 200, { process: holder.process });
  await asked;
  // The first calls may still be refused, until the next heartbeat is answered.
  await waitFor('the account goes online', async () => (await here('go_online'))['presence'] === 'online', {
    process: holder.process,
  });
  expect(await here('go_online')).toMatchObject({ presence: 'online' });
  await database.destroy();
});
