import { expect } from 'vitest';
import { noteGrowth } from '../../../../src/connector/store/dialect.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { plansOf } from '../../../harness/plans.ts';

const CONSENTS = 2_000;
const ROWS_AT_ONCE = 50;

const test = testWithStore();

test.beforeAll(async () => {
  const accountId = await open.account('ada');
  const rows = Array.from({ length: CONSENTS }, (_, number) => ({
    consent_id: `con_${number}`,
    grant_hash: `family ${number}`,
    account_id: accountId,
    client_id: `client ${number}`,
    client_name: 'A client',
    scopes: 'irc:read',
    created_at: open.clock.now(),
    last_used_at: open.clock.now(),
  }));
  await open.database.batchInsert('consents', rows, ROWS_AT_ONCE);
  await noteGrowth(open.database, ['consents']);
});

test('whether anybody has allowed a client is looked up, not read from all consents: strangers can ask', async () => {
  const allowed: boolean[] = [];
  const plans = await plansOf(open, async () => {
    for (const clientId of ['client 7', 'https://nobody.example/client']) {
      allowed.push(await open.consents.isAllowed(clientId));
    }
  });

  expect(allowed).toEqual([true, false]);
  const indexes = plans.map((steps) => /consents_\w+_index/.exec(steps.join(' '))?.[0]);
  expect(indexes).toEqual(Array(2).fill('consents_client_id_last_used_at_index'));
});
