import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type AttachGate, startAttachGate } from '../../harness/attach-gate.ts';
import { serves, startBeside } from '../../harness/beside.ts';
import { createAccounts } from '../../harness/create-accounts.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';

const ACCOUNTS = 40;
const ATTACHES_AT_ONCE = 20;
const SLOW = { timeoutMs: 120_000 };

test('while a second process serves without the slot, the one that has it attaches as many accounts at once as when it is alone', async () => {
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
    ...{ login: `person${n}`, channels: ['#room'], isOnline: true },
  }));
  await createAccounts(join(stack.folder, 'state'), stack.database.config, accounts);
  counted.begin();
  await stack.revive('connector');
  await waitFor('all are attached', () => counted.welcomed === ACCOUNTS, SLOW);
  const reader = await startBeside(stack);
  await serves(reader);

  counted.begin();
  await stack.kill('soju');
  await stack.revive('soju');
  await waitFor('all are attached again', () => counted.welcomed === ACCOUNTS, SLOW);

  expect(counted.most).toBe(ATTACHES_AT_ONCE);
  await reader.process.stop();
});
