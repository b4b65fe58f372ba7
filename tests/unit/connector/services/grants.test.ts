import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import { createServices, type Services } from '../../../../src/connector/services/index.ts';
import { reconcileGrants } from '../../../../src/connector/services/reconcile-grants.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { capturedLine } from '../../../harness/open-store.ts';
import { serviceContext } from '../../../harness/use-case-context.ts';

/** About as many as either call takes. */
const TURNS = 6;

const test = testWithNewStore();

let services: Services;

test.beforeEach(async () => {
  services = createServices(serviceContext(open));
});

test('a channel that is revoked while its person saves a selection stays revoked', async () => {
  const { accountId } = await services.invite({ login: 'bob' });
  const save = () => services.enableChannels(accountId, ['#ops', '#room']);
  const revoke = () => services.invite({ login: 'bob', channels: ['#room'] });

  for (let turns = 0; turns < TURNS; turns += 1) {
    for (const [first, second] of [
      [save, revoke],
      [revoke, save],
    ] as const) {
      await services.invite({ login: 'bob', channels: ['#ops', '#room'] });
      await together(turns, first, second);
      expect(await channels(accountId)).toEqual(['+#room']);
    }
  }
});

test('an invitation keeps selections that are still allowed, also one that is saved at the same moment', async () => {
  const { accountId } = await services.invite({ login: 'bob', channels: ['#room'] });
  const save = () => services.enableChannels(accountId, ['#room']);
  const invite = () => services.invite({ login: 'bob', channels: ['#ops', '#room'] });

  for (let turns = 0; turns < TURNS; turns += 1) {
    for (const [first, second] of [
      [save, invite],
      [invite, save],
    ] as const) {
      await services.enableChannels(accountId, []);
      await together(turns, first, second);
      expect(await channels(accountId)).toEqual(['#ops', '+#room']);
    }
  }
});

test('two invitations of one login at the same moment make one account, which has the grants of one of them', async () => {
  const accounts = await Promise.all([
    services.invite({ login: 'bob', channels: ['#ops'] }),
    services.invite({ login: 'bob', channels: ['#room'] }),
  ]);

  const [{ accountId } = { accountId: '' }] = accounts;
  expect(new Set(accounts.map((account) => account.accountId)).size).toBe(1);
  expect(['#ops', '#room']).toContain((await channels(accountId)).join());
});

test('an invitation without channels is for all of them, and one for an owner leaves them all', async () => {
  const bob = await services.invite({ login: 'bob' });
  const ada = await services.invite({ login: 'ada', channels: [] });

  expect(await channels(bob.accountId)).toEqual(['#ops', '#room']);
  expect(await channels(ada.accountId)).toEqual(['#ops', '#room']);
});

test('before the start owners get every channel, and channels that the configuration no longer has are revoked', async () => {
  const bob = await services.invite({ login: 'bob' });
  const ada = await services.invite({ login: 'ada' });
  await services.enableChannels(bob.accountId, ['#ops', '#room']);

  await reconcileGrants(serviceContext(open, { ircChannels: ['#new', '#room'] }));

  expect(await channels(bob.accountId)).toEqual(['+#room']);
  expect(await channels(ada.accountId)).toEqual(['#new', '#room']);
});

test('a person whose channels are all cleared has no access, but still their account and their history', async () => {
  const { accountId } = await services.invite({ login: 'bob', channels: ['#room'] });
  await services.enableChannels(accountId, ['#room']);
  const lines = [{ line: capturedLine('said before', 1), own: undefined }];
  await open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
  const caller = { accountId, clientId: 'agent' };
  const read = () => services.recentActivity(caller, { channel: '#room', limit: 10 });

  await services.invite({ login: 'bob', channels: [] });

  await expect(read()).rejects.toMatchObject({ code: 'channel_not_enabled' });
  expect(await services.account(accountId)).toMatchObject({ login: 'bob', grants: [] });
  expect(await open.database('entries').where('account_id', accountId).pluck('text')).toEqual(['said before']);
  await services.invite({ login: 'bob', channels: ['#room'] });
  await services.enableChannels(accountId, ['#room']);
  expect((await read()).entries).toMatchObject([{ text: 'said before' }]);
});

/** The channels that are granted; those that are enabled have a plus. */
async function channels(accountId: string): Promise<string[]> {
  const { grants } = await services.account(accountId);
  return grants.map(({ channel, enabled }) => (enabled ? `+${channel}` : channel));
}

/** Begins both, the second `turns` turns of the event loop after the first: another interleaving for each number. */
async function together(turns: number, first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<void> {
  const begun = first();
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
  await Promise.all([begun, second()]);
}
