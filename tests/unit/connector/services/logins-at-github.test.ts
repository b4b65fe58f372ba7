import { expect } from 'vitest';
import { ignoringCase } from '../../../../src/connector/domain/login-name.ts';
import type { ServiceSettings } from '../../../../src/connector/services/context.ts';
import { createServices, type Services } from '../../../../src/connector/services/index.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { serviceContext } from '../../../harness/use-case-context.ts';

const ISSUER = 'https://github.example/login/oauth';

const test = testWithNewStore();

let services: Services;

test.beforeEach(async () => {
  services = withProvider();
});

const arrive = (subject: string, login: string) => services.signIn({ issuer: ISSUER, subject, login });

test('an invitation is for the login in every spelling, and nick and settings show the spelling of the provider', async () => {
  const { accountId } = await services.invite({ login: 'octo-cat', channels: ['#ops'] });

  const account = await arrive('7', 'Octo-Cat');

  expect(account).toMatchObject({ accountId, login: 'Octo-Cat', nick: 'octo-cat', hasSignedIn: true });
  expect(await services.invite({ login: 'OCTO-CAT', channels: [] })).toMatchObject({ accountId, login: 'Octo-Cat' });
  await expect(arrive('8', 'octo-cat')).rejects.toMatchObject({ code: 'not_invited' });
});

test('an owner is one in every spelling', async () => {
  const account = await arrive('1', 'aDA');

  expect(services.isOwner(account)).toBe(true);
  expect(account.grants.map(({ channel }) => channel)).toEqual(['#ops', '#room']);
});

test('two spellings that are invited at the same moment make one account', async () => {
  const accounts = await Promise.all(['Bob', 'bob', 'BOB'].map((login) => services.invite({ login })));

  expect(new Set(accounts.map(({ accountId }) => accountId)).size).toBe(1);
  expect((await services.people()).people).toHaveLength(1);
});

test('with a provider that ignores case, of two logins that become the same the older account keeps it', async () => {
  const [older, other] = [await open.account('Bob'), await open.account('Carol')];
  const younger = await open.store.accounts.create({ login: 'bob', nick: 'bob2', grants: [] }, 10);
  await open.database('accounts').where('account_id', older).update({ created_at: 1 });

  await services.prepare();

  expect(await open.store.accounts.find(older)).toMatchObject({ login: 'Bob' });
  expect((await arrive('7', 'BOB')).accountId).toBe(older);
  expect((await arrive('8', 'carol')).accountId).toBe(other);
  expect((await services.people()).people.at(-1)).toMatchObject({ accountId: younger?.accountId, login: null });
});

test('each login is found as it is written with a provider that distinguishes spellings again', async () => {
  const { accountId } = await services.invite({ login: 'Bob' });
  const exact = createServices(serviceContext(open));

  await exact.prepare();

  expect((await open.store.accounts.findByLogin('Bob'))?.accountId).toBe(accountId);
  expect(await open.store.accounts.findByLogin('bob')).toBeUndefined();
});

test('a person who takes an owner’s former login gets in as themselves alone, and not as an owner', async () => {
  const owner = await arrive('1', 'ada');
  const { accountId: eve } = await services.invite({ login: 'eve', channels: ['#room'] });
  await arrive('7', 'eve');

  await expect(arrive('666', 'Ada')).rejects.toMatchObject({ code: 'not_invited' });
  const renamed = await arrive('7', 'ADA');

  expect(renamed).toMatchObject({ accountId: eve, login: 'eve', grants: [{ channel: '#room' }] });
  await expect(services.requireOwner(eve)).rejects.toMatchObject({ code: 'not_owner' });
  expect(await services.requireOwner(owner.accountId)).toMatchObject({ login: 'ada' });
});

test('an owner who is renamed stays one, and another person with the former login does not get in', async () => {
  const { accountId } = await arrive('1', 'ada');

  expect(await arrive('1', 'Lovelace')).toMatchObject({ accountId, login: 'ada' });
  await expect(arrive('666', 'ada')).rejects.toMatchObject({ code: 'not_invited' });
  expect(await services.requireOwner(accountId)).toMatchObject({ login: 'ada' });

  const later = withProvider({ ownerLogins: ['lovelace'] });
  expect(await later.signIn({ issuer: ISSUER, subject: '1', login: 'Lovelace' })).toMatchObject({ login: 'Lovelace' });
  expect(await later.requireOwner(accountId)).toMatchObject({ accountId });
});

test('an owner’s login that has passed to another person is theirs once it is freed', async () => {
  const former = await arrive('1', 'ada');
  const invited = await services.invite({ login: 'Ada', isNewPerson: true });

  const successor = await arrive('2', 'ada');

  expect(successor.accountId).toBe(invited.accountId);
  expect(await services.requireOwner(successor.accountId)).toMatchObject({ login: 'ada' });
  await expect(services.requireOwner(former.accountId)).rejects.toMatchObject({ code: 'not_owner' });
});

test('an owner’s login that is freed by mistake goes back to its person', async () => {
  const { accountId } = await arrive('1', 'ada');
  await services.invite({ login: 'ada', isNewPerson: true });

  expect(await arrive('1', 'ada')).toMatchObject({ accountId, login: 'ada' });
  expect(await services.requireOwner(accountId)).toMatchObject({ login: 'ada' });
});

/**
 * The use cases before a provider like GitHub, which takes `Ada` and `ada` for one login, and lets any user take a
 * login that was given up.
 */
function withProvider(changes: Partial<ServiceSettings> = {}): Services {
  const store = open.anew(open.clock, ignoringCase);
  return createServices(
    serviceContext(
      { ...open, store },
      { ownerLogins: ['Ada'], loginKey: ignoringCase, loginsAreGiven: false, ...changes },
    ),
  );
}
