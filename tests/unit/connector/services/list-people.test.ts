import { expect } from 'vitest';
import type { ServiceContext } from '../../../../src/connector/services/context.ts';
import { createServices, type Services } from '../../../../src/connector/services/index.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { serviceContext } from '../../../harness/use-case-context.ts';

const ISSUER = 'https://id.example';

const test = testWithNewStore();

let context: ServiceContext;
let services: Services;

test.beforeEach(async () => {
  context = serviceContext(open);
  services = createServices(context);
});

const arrive = (subject: string, login: string) => services.signIn({ issuer: ISSUER, subject, login });

test('an owner sees who may enter, with what is granted and what they have enabled', async () => {
  await services.invite({ login: 'bob', channels: ['#room', '#ops'] });
  const { accountId } = await arrive('7', 'bob');
  await services.enableChannels(accountId, ['#room']);
  await services.invite({ login: 'alice', channels: [] });
  await arrive('1', 'ada');

  const { people } = await services.people();

  expect(people.map(({ accountId: _, ...person }) => person)).toEqual([
    { login: 'ada', nick: 'ada', isOwner: true, hasSignedIn: true, granted: ['#ops', '#room'], enabled: [] },
    { login: 'alice', nick: 'alice', isOwner: false, hasSignedIn: false, granted: [], enabled: [] },
    { login: 'bob', nick: 'bob', isOwner: false, hasSignedIn: true, granted: ['#ops', '#room'], enabled: ['#room'] },
  ]);
});

test('only who has an owner’s login at this moment is one', async () => {
  const { accountId } = await arrive('1', 'ada');
  const bob = await services.invite({ login: 'bob' });
  expect(await services.requireOwner(accountId)).toMatchObject({ login: 'ada' });

  await arrive('1', 'lovelace');

  for (const person of [accountId, bob.accountId]) {
    await expect(services.requireOwner(person)).rejects.toMatchObject({ code: 'not_owner' });
  }
});

test('an owner frees a login that has passed to another person, who gets an account of their own', async () => {
  await services.invite({ login: 'bob' });
  const former = await arrive('7', 'bob');
  await services.enableChannels(former.accountId, ['#room']);
  await expect(arrive('8', 'bob')).rejects.toMatchObject({ code: 'not_invited' });

  const invited = await services.invite({ login: 'bob', channels: ['#ops'], isNewPerson: true });

  expect(invited).toMatchObject({ login: 'bob', hasSignedIn: false, grants: [{ channel: '#ops', enabled: false }] });
  expect((await arrive('8', 'bob')).accountId).toBe(invited.accountId);
  expect(await services.account(former.accountId)).toMatchObject({
    login: null,
    grants: [{ channel: '#ops' }, { channel: '#room', enabled: true }],
  });
  expect((await arrive('7', 'robert')).accountId).toBe(former.accountId);
});

test('a login that is freed by mistake goes back to its person when they sign in', async () => {
  await services.invite({ login: 'bob', channels: ['#room'] });
  const { accountId } = await arrive('7', 'bob');
  await services.invite({ login: 'bob', channels: ['#ops'], isNewPerson: true });

  const back = await arrive('7', 'bob');

  expect(back).toMatchObject({ accountId, login: 'bob', grants: [{ channel: '#ops' }, { channel: '#room' }] });
  expect((await services.people()).people).toHaveLength(1);
});

test('an invitation without an answer, and an owner’s login, can’t be freed', async () => {
  const invited = await services.invite({ login: 'bob' });
  const owner = await arrive('1', 'ada');

  expect(await services.invite({ login: 'bob', isNewPerson: true })).toMatchObject({ accountId: invited.accountId });
  expect(await services.invite({ login: 'ada', isNewPerson: true })).toMatchObject({ accountId: owner.accountId });
});

test('a person without a login keeps their grants until an owner takes them', async () => {
  await services.invite({ login: 'bob' });
  const { accountId } = await arrive('7', 'bob');
  await services.invite({ login: 'bob', isNewPerson: true });

  const cleared = await services.replaceGrants(accountId, []);

  expect(cleared).toMatchObject({ accountId, login: null, grants: [] });
  await expect(services.replaceGrants(accountId, ['#elsewhere'])).rejects.toMatchObject({ code: 'channel_unknown' });
  await expect(services.replaceGrants('acc_gone', [])).rejects.toMatchObject({ code: 'account_unknown' });
});

test('an owner’s grants can’t be cleared', async () => {
  const { accountId } = await arrive('1', 'ada');

  const { grants } = await services.replaceGrants(accountId, []);

  expect(grants.map(({ channel }) => channel)).toEqual(['#ops', '#room']);
});

test('exactly one of many invitations at once for the last place is accepted', async () => {
  for (const login of ['a', 'b', 'c']) await services.invite({ login });

  const outcomes = await Promise.allSettled(['d', 'e', 'f', 'g', 'h'].map((login) => services.invite({ login })));

  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await services.people()).people).toHaveLength(4);
});

test('a login stays with its person when there is no room for a new one', async () => {
  for (const login of ['a', 'b', 'c', 'bob']) await services.invite({ login });
  const { accountId } = await arrive('7', 'bob');

  const invitation = services.invite({ login: 'bob', isNewPerson: true });

  await expect(invitation).rejects.toMatchObject({ code: 'user_limit_reached' });
  expect(await services.account(accountId)).toMatchObject({ login: 'bob' });
});

test('one of two new people at once for the last place is invited, and the login of the other stays where it is', async () => {
  const former = new Map<string, string>();
  for (const [subject, login] of [
    ['7', 'bob'],
    ['8', 'eve'],
  ] as const) {
    await services.invite({ login });
    former.set(login, (await arrive(subject, login)).accountId);
  }
  await services.invite({ login: 'a' });

  const outcomes = await Promise.allSettled(
    ['bob', 'eve'].map((login) => services.invite({ login, isNewPerson: true })),
  );

  const refused = ['bob', 'eve'].filter((_, index) => outcomes[index]?.status === 'rejected');
  expect(refused).toHaveLength(1);
  const [login = ''] = refused;
  expect(await open.store.accounts.findByLogin(login)).toMatchObject({ accountId: former.get(login), login });
  expect((await services.people()).people).toHaveLength(4);
});

test('people who are invited at once and whose nicks begin alike are all invited, each with a nick of their own', async () => {
  const roomy = createServices(serviceContext(open, { maxUsers: 100 }));
  const logins = [...'!%&*+,./:;='].map((sign) => `ann${sign}`);

  await Promise.all([...logins, ...logins].map((login) => roomy.invite({ login })));

  const { people } = await roomy.people();
  expect(people.map(({ login }) => login)).toEqual(logins.toSorted());
  expect(new Set(people.map(({ nick }) => nick)).size).toBe(logins.length);
});

/** Creates this many accounts with numbered logins, and with a nick of another word. */
async function crowd(size: number): Promise<void> {
  const numbers = Array.from({ length: size }, (_, number) => String(number).padStart(3, '0'));
  for (const number of numbers) {
    await open.store.accounts.create({ login: `Somebody-${number}`, nick: `nick${number}`, grants: [] }, size);
  }
}

test('an owner sees many people a page at a time', async () => {
  await crowd(120);

  const pages = await Promise.all([undefined, 2, 3, 9].map((page) => services.people({ page })));

  expect(
    pages.map(({ people, page, pages: all, found }) => [people.length, people[0]?.login, page, all, found]),
  ).toEqual([
    [50, 'Somebody-000', 1, 3, 120],
    [50, 'Somebody-050', 2, 3, 120],
    [20, 'Somebody-100', 3, 3, 120],
    [20, 'Somebody-100', 3, 3, 120],
  ]);
});

test('a page of people reads only the channels of its own people', async () => {
  await crowd(120);
  let asked = 0;
  for (const each of new Set([open.database, open.readers])) {
    each.on('query', ({ sql, bindings }: { sql: string; bindings: unknown[] }) => {
      if (/from .grants./.test(sql)) asked += bindings.length;
    });
  }

  await services.people({ page: 2 });

  expect(asked).toBe(50);
});

test('an owner finds people by a part of their login or their nick, in any case', async () => {
  await crowd(60);
  await open.database('accounts').where('login', 'Somebody-007').update({ login: null, login_key: null });

  const found = async (search: string) => (await services.people({ search })).people.map(({ nick }) => nick);

  expect(await found(' SOMEBODY-01 ')).toEqual(Array.from({ length: 10 }, (_, last) => `nick01${last}`));
  expect(await found('CK007')).toEqual(['nick007']);
  expect(await found('somebody-007')).toEqual([]);
  expect(await found('%')).toEqual([]);
  expect((await services.people({ search: '' })).people.at(-1)?.nick).toBe('nick050');
  expect((await services.people({ page: 2 })).people.at(-1)).toMatchObject({ login: null, nick: 'nick007' });
});
