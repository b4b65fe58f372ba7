import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Beside, startServingBeside } from '../../harness/beside.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected } from '../../harness/person.ts';

const test = testWithStack({ config: { settings: { ownerLogins: ['ada'], maxUsers: 20 } } });

let beside: Beside;

test.beforeAll(async () => {
  beside = await startServingBeside(stack);
});

afterAll(async () => {
  await beside?.process.stop();
});

test('a person whom an owner removes at the process without sessions leaves IRC, and the account goes', async () => {
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  await stack.invite('carol', ['#room']);
  await using carol = await agentIn(stack, 'carol', ['#room']);
  await carol.call('go_online');
  await connected(carol);
  const database = stack.database.connect();
  const [{ account_id: accountId }] = await database('accounts').where('login', 'carol').select('account_id');
  const ada = await stack.signIn('ada');
  ada.route = (url) => url.replace(stack.baseUrl, `http://127.0.0.1:${beside.port}`);
  const path = `/settings/people/${accountId}/remove`;

  const removed = await ada.submit(await ada.open(`${stack.baseUrl}${path}`), {}, path);

  expect(removed.status).toBe(200);
  await waitFor('carol has left', () =>
    bob.lines.some(({ command, sender }) => command === 'QUIT' && sender === 'carol'),
  );
  await waitFor(
    'the account is gone',
    async () => (await database('accounts').where('account_id', accountId).first()) === undefined,
  );
  await database.destroy();
});
