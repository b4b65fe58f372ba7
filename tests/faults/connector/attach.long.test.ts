import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { createAdminSocket } from '../../../src/connector/bouncer/admin-socket.ts';
import { type AttachGate, startAttachGate } from '../../harness/attach-gate.ts';
import { createAccounts } from '../../harness/create-accounts.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';

/** Number of accounts; the benchmark uses a thousand. The bouncer hashes a password twice for each, 50 ms each. */
const ACCOUNTS = 60;
const ATTACHES_AT_ONCE = 20;
const SLOW = { timeoutMs: 120_000 };

test('accounts that come back at once attach to the bouncer twenty at a time, after a start and after a crash of the bouncer', async () => {
  let gate: AttachGate | undefined;
  await using stack = await startConnectorStack({
    config: { settings: { ownerLogins: ['ada'], maxUsers: ACCOUNTS } },
    wrapBouncer: async (port) => {
      gate = await startAttachGate(port, ATTACHES_AT_ONCE);
      return gate.port;
    },
  });
  if (gate === undefined) throw new Error('nothing stands before the bouncer');
  await using counted = gate;
  await stack.connector.stop();
  const accounts = Array.from({ length: ACCOUNTS }, (_, n) => ({
    login: `person${n}`,
    channels: ['#room'],
    isOnline: true,
  }));
  await createAccounts(join(stack.folder, 'state'), stack.database.config, accounts);
  const soju = () => createAdminSocket(stack.soju.adminSocket)(['server', 'status']);

  counted.begin();
  await stack.revive('connector');
  await waitFor('all are attached', () => counted.welcomed === ACCOUNTS, SLOW);
  const afterStart = counted.most;
  counted.begin();
  await stack.kill('soju');
  await stack.revive('soju');
  await waitFor('all are attached again', () => counted.welcomed === ACCOUNTS, SLOW);

  expect([afterStart, counted.most]).toEqual([ATTACHES_AT_ONCE, ATTACHES_AT_ONCE]);
  await waitFor('all are connected', async () =>
    (await soju()).join().includes(`${ACCOUNTS} downstreams, ${ACCOUNTS} upstreams`),
  );
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  bob.say('#room', 'to everybody');
  const database = stack.database.connect();
  await waitFor(
    'each has heard it',
    async () => (await database('entries').where('text', 'to everybody')).length === ACCOUNTS,
    SLOW,
  );
  await database.destroy();
});
