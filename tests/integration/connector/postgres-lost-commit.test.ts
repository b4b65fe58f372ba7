import { expect, inject, test } from 'vitest';
import { DAY_MS, REFRESH_REPEAT_MS } from '../../../src/connector/domain/limits.ts';
import { SUCCESSOR } from '../../../src/connector/ports/oauth-records.ts';
import { createSeal } from '../../../src/connector/store/aes-seal.ts';
import { openDatabase } from '../../../src/connector/store/database.ts';
import { createStore } from '../../../src/connector/store/index.ts';
import { createOauthStore } from '../../../src/connector/store/oauth-store.ts';
import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import { capturedLine } from '../../harness/open-store.ts';
import { startPostgresProxy } from '../../harness/postgres-proxy.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { serverDatabase } from '../../harness/test-database.ts';

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
  const { records, consents } = through.oauthAt(systemClock);
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

test('a refresh whose commit was not confirmed is answered also when the client asks again long after, and has a minute from then', async () => {
  await using through = await openThroughProxy();
  const { proxy, accountId } = through;
  let passed = 0;
  const clock = { now: () => systemClock.now() + passed, monotonic: () => systemClock.monotonic() + passed };
  const { records, consents } = through.oauthAt(clock);
  const record = (kind: string, idHash: string, termMs: number) => ({
    ...{ kind, idHash, uidHash: null, grantHash: 'family', payload: '{}' },
    expiresAt: clock.now() + termMs,
  });
  await consents.begin({ grantHash: 'family', accountId, clientId: 'client', clientName: 'Client', scopes: [] });
  await records.save('RefreshToken', record('RefreshToken', 'first', DAY_MS));
  const redeem = (next: string) =>
    records.redeem({
      consumed: { kind: 'RefreshToken', idHash: 'first' },
      issued: [
        record('RefreshToken', next, DAY_MS),
        { ...record(SUCCESSOR, 'first', REFRESH_REPEAT_MS), uidHash: next, payload: `the answer with ${next}` },
      ],
    });

  proxy.loseNextCommit();
  await expect(redeem('second')).rejects.toThrow();
  passed += 10 * REFRESH_REPEAT_MS;
  expect(await records.removeEnded(100)).toBe(1);
  expect(await redeem('third')).toEqual({ kind: 'repeated', payload: 'the answer with second' });
  passed += REFRESH_REPEAT_MS - 1_000;
  expect(await redeem('fourth')).toEqual({ kind: 'repeated', payload: 'the answer with second' });
  expect(await consents.ofAccount(accountId)).toHaveLength(1);

  passed += 1_000;
  expect(await redeem('of a thief')).toEqual({ kind: 'refused' });
  expect(await consents.ofAccount(accountId)).toEqual([]);
});

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
    oauthAt: (clock: Clock) => createOauthStore(opened.database, seal, clock),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
