import { expect, inject, test } from 'vitest';
import { openDatabase } from '../../../src/connector/store/database.ts';
import { createStore } from '../../../src/connector/store/index.ts';
import { createOauthStore } from '../../../src/connector/store/oauth-store.ts';
import { createSeal } from '../../../src/connector/store/seal.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { capturedLine } from '../../harness/open-store.ts';
import { startPostgresProxy } from '../../harness/postgres-proxy.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { serverDatabase } from '../../harness/test-database.ts';

/** A store that reaches its database through a proxy which can swallow the answer to a commit. */
async function openThroughProxy() {
  await using made = new AsyncDisposableStack();
  const folder = made.use(await tempFolder());
  const server = inject('postgres');
  if (server === undefined) throw new Error('these tests are of PostgreSQL');
  const own = made.use(await serverDatabase(server));
  const proxy = made.use(await startPostgresProxy(folder.path, server));
  const { database: name, user } = own.config.postgres ?? {};
  const choice = { host: folder.path, port: server.port, database: String(name), user: String(user) };
  const opened = await openDatabase(
    { postgres: { ...choice, password: undefined, tls: 'off', poolSize: 4 } },
    systemClock,
  );
  made.defer(() => opened.close());
  const seal = createSeal(Buffer.alloc(32));
  const store = createStore(opened, seal, systemClock);
  const account = await store.accounts.create(
    { login: 'ada', nick: 'ada', grants: [{ channel: '#room', enabled: true }] },
    1,
  );
  const kept = made.move();
  return {
    ...{ proxy, opened, store, accountId: account?.accountId ?? '' },
    oauth: createOauthStore(opened.database, seal, systemClock),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

test('lines without ids whose commit was not confirmed are there once when they are stored again', async () => {
  await using through = await openThroughProxy();
  const { proxy, opened, accountId } = through;
  const { capture } = through.store;
  const at = Date.UTC(2026, 0, 1);
  const [twin, other, later] = ['same', 'same', 'later'].map((text) => ({
    line: { ...capturedLine(text, at), fingerprintBase: text, isExact: false },
    own: undefined,
  }));
  const store = (lines: (typeof twin)[]) =>
    capture.ingest(accountId, 'main', {
      lines: lines.flatMap((line) => line ?? []),
      isReplay: false,
      synced: new Set(),
    });
  const kept = async () => (await opened.database('entries').orderBy('row').pluck('text')) as string[];

  proxy.loseNextCommit();
  await expect(store([twin, other])).rejects.toThrow();
  expect(await kept()).toEqual(['same', 'same']);
  await store([twin, other, later]);

  expect(await kept()).toEqual(['same', 'same', 'later']);
});

test('a refresh whose commit was not confirmed is the first use when it is stored again, and another one is a second', async () => {
  await using through = await openThroughProxy();
  const { proxy, accountId } = through;
  const { records, consents } = through.oauth;
  const token = (idHash: string) => ({
    ...{ idHash, uidHash: null, grantHash: 'family', payload: '{}' },
    expiresAt: systemClock.now() + 60_000,
  });
  await consents.begin({ grantHash: 'family', accountId, clientId: 'client', clientName: 'Client', scopes: [] });
  await records.save('RefreshToken', token('first'));
  const redeem = (next: string) =>
    records.redeem({
      consumed: { kind: 'RefreshToken', idHash: 'first' },
      issued: [{ kind: 'RefreshToken', ...token(next) }],
    });

  proxy.loseNextCommit();
  await expect(redeem('second')).rejects.toThrow();
  expect(await redeem('second')).toEqual({ kind: 'stored' });
  expect(await records.find('RefreshToken', { idHash: 'second' })).toBeDefined();

  expect(await redeem('of a thief')).toEqual({ kind: 'refused' });
  expect(await records.find('RefreshToken', { idHash: 'second' })).toBeUndefined();
  expect(await consents.ofAccount(accountId)).toEqual([]);
});
