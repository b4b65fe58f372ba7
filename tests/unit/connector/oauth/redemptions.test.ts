import { request } from 'node:http';
import { expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { REFRESH_REPEAT_MS } from '../../../../src/connector/domain/limits.ts';
import { ConnectorError } from '../../../../src/connector/errors.ts';
import { clientId, oauth, testWithNewClient } from '../../../harness/fixtures/oauth.ts';
import { codeFor, redeem, refresh, type TokenAnswer } from '../../../harness/oauth-client.ts';

/** Their failure ends the connection, and with it the transaction; here the connection stays. */
const ENDS_TRANSACTION = /^(COMMIT|ROLLBACK)/i;

const test = testWithNewClient();

const code = () => codeFor(oauth, 'ada', clientId);

/** What a client does at the token endpoint. */
const USES = [
  [
    'a refresh',
    async () => {
      const { refresh_token: token } = await redeem(oauth, clientId, await code());
      return () => refresh(oauth, clientId, token);
    },
  ],
  [
    'the redemption of a code',
    async () => {
      const given = await code();
      return () => redeem(oauth, clientId, given);
    },
  ],
] as const;

for (const [what, begin] of USES) {
  test(`${what} that fails because its account can't be read can be done again`, async () => {
    const use = await begin();
    const { accounts } = oauth.opened.store;
    const { find } = accounts;
    accounts.find = () =>
      Promise.reject(new ConnectorError('database_unavailable', 'the database does not answer at the moment'));

    const answer: TokenAnswer = await use().finally(() => {
      accounts.find = find;
    });

    expect([answer.status, answer.error]).toEqual([503, 'temporarily_unavailable']);
    expect((await use()).status).toBe(200);
  });

  test(`${what} that fails at any statement can be done again, and only once`, async () => {
    let failures = 0;
    for (;;) {
      const use = await begin();
      const answer: TokenAnswer = await failingAfter(failures, use);
      if (answer.status === 200) break;
      failures += 1;
      expect([failures, answer.status, answer.error]).toEqual([failures, 503, 'temporarily_unavailable']);

      const again = await use();
      expect([failures, again.status]).toEqual([failures, 200]);
      expect(await oauth.verify(again.access_token)).toMatchObject({ scopes: ['irc:read', 'irc:write'] });

      if (what === 'a refresh') {
        expect(await use()).toMatchObject({ status: 200, refresh_token: again.refresh_token });
        await refresh(oauth, clientId, again.refresh_token);
      }
      expect(await use()).toMatchObject({ status: 400, error: 'invalid_grant' });
      expect(await oauth.verify(again.access_token)).toBeUndefined();
      expect(await refresh(oauth, clientId, again.refresh_token)).toMatchObject({ error: 'invalid_grant' });
    }
    // These are the statements of the library's lookups, and of the transaction that stores its answer.
    expect(failures).toBeGreaterThanOrEqual(7);
  });
}

test('a refresh that is stored although the database could not say so is answered', async () => {
  const first = await redeem(oauth, clientId, await code());
  const { redeem: store } = oauth.records;
  oauth.records.redeem = async (redemption) => {
    oauth.records.redeem = store;
    await store(redemption);
    throw new Error('the answer to the commit was lost');
  };

  const second = await refresh(oauth, clientId, first.refresh_token);

  expect([oauth.records.redeem, second.status]).toEqual([store, 200]);
  expect(await oauth.verify(second.access_token)).toBeDefined();
  expect((await refresh(oauth, clientId, second.refresh_token)).status).toBe(200);
});

/** A client requests new tokens and disconnects before it has them: the database answers no one until then. */
async function refreshAndGo(token: string): Promise<void> {
  const { database } = oauth.opened;
  const stored = () => database('oauth_records').where('kind', 'RefreshToken').whereNotNull('consumed_at');
  const before = (await stored()).length;
  const held = await database.transaction();
  await held('consents').update({ client_name: 'held' });
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token });
  const asked = Promise.withResolvers<void>();
  oauth.onRequest = asked.resolve;
  const client = request(`${oauth.baseUrl}/oauth/token`, {
    ...{ method: 'POST', agent: false },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  client.on('error', () => undefined);
  client.end(body.toString());
  await asked.promise;
  client.destroy();
  // Sent after the end of the connection, so that this is known when it is answered.
  await fetch(`${oauth.baseUrl}/.well-known/oauth-authorization-server`);
  await held.rollback();
  await waitFor('the refresh is stored', async () => (await stored()).length > before);
}

test('a client that had gone when its refresh was stored gets the answer whenever it asks again, and has a minute from then', async () => {
  const first = await redeem(oauth, clientId, await code());
  await refreshAndGo(first.refresh_token);

  oauth.pass(10 * REFRESH_REPEAT_MS);
  const second = await refresh(oauth, clientId, first.refresh_token);
  oauth.pass(REFRESH_REPEAT_MS - 1_000);
  const again = await refresh(oauth, clientId, first.refresh_token);

  expect([second.status, again.status, again.refresh_token]).toEqual([200, 200, second.refresh_token]);
  expect(await oauth.verify(second.access_token)).toBeDefined();
  oauth.pass(1_000);
  expect(await refresh(oauth, clientId, first.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  expect(await oauth.verify(second.access_token)).toBeUndefined();
});

test('an answer that its client got late is good when the access token in it has ended', async () => {
  const first = await redeem(oauth, clientId, await code());
  await refreshAndGo(first.refresh_token);
  oauth.pass(3 * 60 * REFRESH_REPEAT_MS);

  const late = await refresh(oauth, clientId, first.refresh_token);
  const third = await refresh(oauth, clientId, late.refresh_token);

  expect(late).toMatchObject({ status: 200, expires_in: 0 });
  expect(await oauth.verify(third.access_token)).toBeDefined();
  // Another client has the token now, or this client lost its state.
  expect(await refresh(oauth, clientId, first.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  expect(await oauth.verify(third.access_token)).toBeUndefined();
});

test('a client that goes again and again has one answer, and a use that was answered is no longer repeated for it', async () => {
  const first = await redeem(oauth, clientId, await code());
  await refreshAndGo(first.refresh_token);
  const second = await refresh(oauth, clientId, first.refresh_token);
  await refreshAndGo(second.refresh_token);
  oauth.pass(10 * REFRESH_REPEAT_MS);

  const third = await refresh(oauth, clientId, second.refresh_token);
  expect(await oauth.verify(third.access_token)).toBeDefined();
  expect(await refresh(oauth, clientId, first.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  expect(await oauth.verify(third.access_token)).toBeUndefined();
});

test('a failed refresh stores no tokens, and does not prolong its consent', async () => {
  const { refresh_token: token } = await redeem(oauth, clientId, await code());
  const stored = async () => {
    const { database } = oauth.opened;
    return Promise.all([
      database('oauth_records').whereNotNull('grant_hash').orderBy('id_hash').select('id_hash', 'consumed_at'),
      database('consents').select('last_used_at'),
    ]);
  };
  const before = await stored();
  oauth.pass(60_000);
  oauth.records.redeem = async () => {
    throw new Error('the database went away');
  };

  expect((await refresh(oauth, clientId, token)).status).toBe(500);

  expect(await stored()).toEqual(before);
});

/** Does `work` while the database fails from one statement on. */
async function failingAfter<T>(goodStatements: number, work: () => Promise<T>): Promise<T> {
  const { database } = oauth.opened;
  let count = 0;
  const fail = ({ sql }: { sql: string }): void => {
    if (ENDS_TRANSACTION.test(sql)) return;
    count += 1;
    if (count > goodStatements) throw Object.assign(new Error('the database went away'), { code: 'ECONNRESET' });
  };
  // A restart empties the memory, so that everything is read from the database.
  await oauth.restart();
  database.on('query', fail);
  try {
    return await work();
  } finally {
    database.off('query', fail);
  }
}
