import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { postMcp } from '../../harness/oauth-client.ts';
import { agentIn, informationOf } from '../../harness/person.ts';
import type { ConnectorStack } from '../../harness/start-connector.ts';

/** More than twice the connections of the pool. */
const CALLS = 20;

const test = testWithStack();

let [ada, eve]: Agent[] = [];

test.beforeAll(async () => {
  await stack.invite('eve');
  ada = await agentIn(stack, 'ada', ['#room']);
  eve = await agentIn(stack, 'eve', ['#room']);
});

afterAll(async () => {
  for (const part of [ada, eve]) await part?.[Symbol.asyncDispose]();
});

test('a person’s parallel calls that all wait for one lock in the database hold up those of no other person', async () => {
  if (ada === undefined || eve === undefined) throw new Error('two agents');
  const database = stack.database.connect();
  const blocking = await database.transaction();
  try {
    // Each call of hers begins a session, which refers to this row.
    await blocking('accounts').where('login', 'eve').forUpdate().select('account_id');
    let answered = 0;
    const { accessToken } = eve;
    const calls = Array.from({ length: CALLS }, () =>
      informationAt(stack, accessToken).then(() => {
        answered += 1;
      }),
    );
    await waitFor('some of her calls wait in the database', async () => {
      const { rows }: { rows: unknown[] } = await database.raw(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows.length > 1;
    });

    await informationOf(ada);

    expect(answered).toBe(0);
    await blocking.rollback();
    await Promise.all(calls);
  } finally {
    if (!blocking.isCompleted()) await blocking.rollback();
    await database.destroy();
  }
});

/** Asks without a session of its own, as an agent does that begins. */
async function informationAt({ baseUrl }: ConnectorStack, accessToken: string): Promise<void> {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'see_account_information', arguments: {} },
  };
  const answer = await postMcp({ baseUrl }, message, {
    authorization: `Bearer ${accessToken}`,
    'mcp-protocol-version': '2025-06-18',
  });
  await answer.text();
}
