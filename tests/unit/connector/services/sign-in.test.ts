import { expect } from 'vitest';
import type { ServiceContext } from '../../../../src/connector/services/context.ts';
import { invite } from '../../../../src/connector/services/invite.ts';
import { isOwner } from '../../../../src/connector/services/is-owner.ts';
import { signIn } from '../../../../src/connector/services/sign-in.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { serviceContext } from '../../../harness/use-case-context.ts';

const ISSUER = 'https://id.example';

const test = testWithNewStore();

let context: ServiceContext;

test.beforeEach(async () => {
  context = serviceContext(open);
});

const arrive = (subject: string, login: string) => signIn(context, { issuer: ISSUER, subject, login });
const channelsOf = async (accountId: string) =>
  (await open.store.accounts.find(accountId))?.grants.map(({ channel }) => channel);

test('a person whose login was renamed stays themselves, and the account follows the login', async () => {
  const invited = await open.account('bob');
  await arrive('7', 'bob');

  const renamed = await arrive('7', 'robert');

  expect(renamed).toMatchObject({ accountId: invited, login: 'robert', nick: 'bob' });
  expect(await open.store.accounts.find(invited)).toMatchObject({ login: 'robert' });
  expect((await arrive('7', 'bob')).accountId).toBe(invited);
});

test('a person who was invited under both logins has one account, with the channels of both invitations', async () => {
  const own = await open.account('bob', ['#room']);
  const invited = await open.account('robert', ['#ops']);
  await arrive('7', 'bob');

  const account = await arrive('7', 'robert');

  expect(account).toMatchObject({ accountId: own, login: 'robert' });
  expect(account.grants).toEqual([
    { channel: '#ops', enabled: false },
    { channel: '#room', enabled: true },
  ]);
  expect(await open.store.accounts.find(invited)).toBeUndefined();
  await expect(arrive('8', 'robert')).rejects.toMatchObject({ code: 'not_invited' });
});

test('two people who swap logins keep their accounts, each under the other login, in any order of sign-ins', async () => {
  const [bob, eve] = [await open.account('bob'), await open.account('eve')];
  await arrive('7', 'bob');
  await arrive('8', 'eve');

  expect(await arrive('7', 'eve')).toMatchObject({ accountId: bob, login: 'eve' });
  expect(await open.store.accounts.find(eve)).toMatchObject({ login: null });
  expect(await arrive('8', 'bob')).toMatchObject({ accountId: eve, login: 'bob' });
  expect(await open.store.accounts.find(bob)).toMatchObject({ login: 'eve' });
});

test('an owner’s rights go to the person who has the login now, and leave the one who had it', async () => {
  const bob = await open.account('bob');
  await arrive('7', 'bob');
  const { accountId: ada } = await arrive('1', 'ada');
  const owners = async () => {
    const accounts = await Promise.all([ada, bob].map((accountId) => open.store.accounts.find(accountId)));
    return accounts.map((account) => account !== undefined && isOwner(context, account));
  };
  expect(await owners()).toEqual([true, false]);

  await arrive('7', 'ada');

  expect(await owners()).toEqual([false, true]);
  expect(await channelsOf(bob)).toEqual(['#ops', '#room']);
  expect(await arrive('1', 'bob')).toMatchObject({ accountId: ada, login: 'bob' });
  expect(await owners()).toEqual([false, true]);
});

test('a new person with an owner’s login gets an account of their own, not that of who had it', async () => {
  const { accountId: former } = await arrive('1', 'ada');

  const [successor, again] = await Promise.all([arrive('9', 'ada'), arrive('9', 'ada')]);

  expect(successor.accountId).not.toBe(former);
  expect(again.accountId).toBe(successor.accountId);
  expect(successor.grants.map(({ channel }) => channel)).toEqual(['#ops', '#room']);
  expect(await open.store.accounts.find(former)).toMatchObject({ login: null });
  expect((await arrive('1', 'lovelace')).accountId).toBe(former);
});

test('a login that is given to another person does not open the account of its former owner', async () => {
  await open.account('bob');
  await arrive('7', 'bob');

  await expect(arrive('8', 'bob')).rejects.toMatchObject({ code: 'not_invited' });
  await arrive('7', 'robert');
  await expect(arrive('8', 'bob')).rejects.toMatchObject({ code: 'not_invited' });
});

test('the same subject at another identity provider is another person', async () => {
  await open.account('bob');
  await arrive('7', 'bob');

  const other = signIn(context, { issuer: 'https://other.example', subject: '7', login: 'bob' });

  await expect(other).rejects.toMatchObject({ code: 'not_invited' });
});

test('sign-in needs an invitation, except for owners, who get every channel and have none enabled', async () => {
  verifies('connector.authentication.6');
  await expect(arrive('1', 'mallory')).rejects.toMatchObject({ code: 'not_invited' });

  const owner = await arrive('2', 'ada');

  expect(owner.grants).toEqual([
    { channel: '#ops', enabled: false },
    { channel: '#room', enabled: false },
  ]);
});

test('a person whose new login is an owner’s gets every channel, and keeps what they enabled', async () => {
  const accountId = await open.account('bob', ['#room']);
  await arrive('7', 'bob');
  expect(await channelsOf(accountId)).toEqual(['#room']);

  const { grants } = await arrive('7', 'grace');

  expect(grants).toEqual([
    { channel: '#ops', enabled: false },
    { channel: '#room', enabled: true },
  ]);
});

test('one person who signs in twice at the same moment, under two invited logins, gets one account', async () => {
  await open.account('bob');
  await open.account('robert');

  const [first, second] = await Promise.all([arrive('7', 'bob'), arrive('7', 'robert')]);

  expect(first.accountId).toBe(second.accountId);
});

test('owners who sign in for the first time at the same moment get an account each, and one person gets one', async () => {
  const accounts = await Promise.all([arrive('1', 'ada'), arrive('1', 'ada'), arrive('2', 'grace')]);

  expect(new Set(accounts.map(({ accountId }) => accountId)).size).toBe(2);
  expect(new Set(accounts.map(({ nick }) => nick)).size).toBe(2);
  expect(await open.store.accounts.list()).toHaveLength(2);
});

test('an owner signs in also where invitations took all places, and so does who has an account', async () => {
  for (const login of ['a', 'b', 'c', 'd']) await open.account(login);

  expect(await arrive('1', 'ada')).toMatchObject({ login: 'ada' });
  expect(await arrive('1', 'ada')).toMatchObject({ login: 'ada' });
  await expect(invite(context, { login: 'e' })).rejects.toMatchObject({ code: 'user_limit_reached' });
  await expect(arrive('8', 'e')).rejects.toMatchObject({ code: 'not_invited' });
  expect(await arrive('9', 'd')).toMatchObject({ login: 'd' });
});

test('an owner who is named by subject is one under any login, and gets in where another account has theirs', async () => {
  context = serviceContext(open, { ownerLogins: [], ownerSubjects: ['1'], loginsAreGiven: false, maxUsers: 1 });
  const bob = await open.account('bob');
  await arrive('7', 'bob');
  await expect(arrive('8', 'ada')).rejects.toMatchObject({ code: 'not_invited' });

  const owner = await arrive('1', 'bob');

  expect(owner).toMatchObject({ login: 'bob', hasSignedIn: true });
  expect(owner.accountId).not.toBe(bob);
  expect(await channelsOf(owner.accountId)).toEqual(['#ops', '#room']);
  expect(await open.store.accounts.find(bob)).toMatchObject({ login: null });
  expect(isOwner(context, await arrive('1', 'renamed'))).toBe(true);
  const taken = await arrive('7', 'renamed');
  expect([taken.accountId, isOwner(context, taken)]).toEqual([bob, false]);
});

test('the same subject at another provider is no owner, and an invitation takes no channel from an owner', async () => {
  context = serviceContext(open, { ownerLogins: [], ownerSubjects: ['1'] });
  const elsewhere = signIn(context, { issuer: 'https://other.example', subject: '1', login: 'ada' });
  await expect(elsewhere).rejects.toMatchObject({ code: 'not_invited' });
  await open.account('eve');
  const eve = await signIn(context, { issuer: 'https://other.example', subject: '1', login: 'eve' });
  expect(isOwner(context, eve)).toBe(false);
  const { accountId } = await arrive('1', 'ada');

  const invited = await invite(context, { login: 'ada', channels: ['#room'] });

  expect(invited.accountId).toBe(accountId);
  expect(await channelsOf(accountId)).toEqual(['#ops', '#room']);
});
