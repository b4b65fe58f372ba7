import { expect } from 'vitest';
import { DAY_MS } from '../../../../src/connector/domain/limits.ts';
import { PERSONAL_TOKENS_MAX } from '../../../../src/connector/domain/personal-token.ts';
import { createServices } from '../../../../src/connector/services/index.ts';
import { createPersonalToken, verifyPersonalToken } from '../../../../src/connector/services/personal-tokens.ts';
import { subscribe } from '../../../../src/connector/services/subscribe.ts';
import { agent as ada, door, testWithNewAgent } from '../../../harness/fixtures/front-door.ts';
import { DOOR_CHANNELS } from '../../../harness/front-door.ts';
import { subscribed } from '../../../harness/mentions.ts';
import { serviceContext } from '../../../harness/use-case-context.ts';

const test = testWithNewAgent({ personalTokens: true });

const create = (name = 'Night shift', days = 90, accountId = ada.accountId) =>
  door.services.createPersonalToken(accountId, { name, scopes: ['irc:read'], days });
const verify = (token: string) => door.services.verifyPersonalToken(token);
const pass = (ms: number) => door.open.clock.set(door.open.clock.now() + ms);
const own = async () => (await door.services.agents(ada.accountId)).filter(({ endsAt }) => endsAt !== null);

test('a token says whose it is and what it may do, each as a client of its own', async () => {
  const [one, other] = [await create('one'), await create('other', 7)];
  const [first, second] = [await verify(one.token), await verify(other.token)];

  expect(first).toEqual({
    accountId: ada.accountId,
    clientId: expect.stringMatching(/^tok_/),
    scopes: ['irc:read'],
    expiresAt: (door.open.clock.now() + 90 * DAY_MS) / 1_000,
  });
  expect(second?.clientId).not.toBe(first?.clientId);
  for (const unknown of ['homeport_', `${one.token}x`, one.token.slice(0, -1)])
    expect(await verify(unknown)).toBeUndefined();
});

test.each([7, 30, 90, 365])('a token for %i days lasts that long, whether it is used or not', async (days) => {
  const { token, endsAt } = await create('one', days);
  await verify(token);
  expect(endsAt).toBe(door.open.clock.now() + days * DAY_MS);

  pass(days * DAY_MS - 1);
  while ((await door.open.consents.removeEnded(10)) > 0);
  expect(await verify(token)).toBeDefined();
  expect(await own()).toMatchObject([{ clientName: 'one', endsAt }]);

  pass(1);
  expect(await verify(token)).toBeUndefined();
  pass(1);
  await door.open.consents.removeEnded(10);
  expect(await own()).toEqual([]);
});

test('a token that is revoked is good no longer, at once, and others are', async () => {
  const [one, other] = [await create('one'), await create('other')];
  expect(await verify(one.token)).toBeDefined();
  const agent = (await own()).find(({ clientName }) => clientName === 'one');

  await door.services.revokeAgent(ada.accountId, agent?.consentId ?? '');

  expect(await verify(one.token)).toBeUndefined();
  expect(await verify(other.token)).toBeDefined();
});

test('a token ends with its account', async () => {
  const { accountId } = await door.agent('bob');
  const { token } = await create('of bob', 90, accountId);
  await verify(token);

  await door.services.removeAccount(accountId);

  expect(await verify(token)).toBeUndefined();
  await expect(create('late', 90, accountId)).rejects.toThrow();
});

test('while no owner allows tokens no new one can be made, and the earlier ones are refused', async () => {
  const { token } = await create();
  const without = serviceContext(door.open, { personalTokens: false });

  expect(await verifyPersonalToken(without, token)).toBeUndefined();
  const request = { name: 'late', scopes: ['irc:read'], days: 7 } as const;
  await expect(createPersonalToken(without, ada.accountId, request)).rejects.toMatchObject({
    code: 'personal_tokens_off',
  });
  expect(await verify(token)).toBeDefined();
});

test('subscriptions of tokens end when an owner turns tokens off, and those of other clients do not', async () => {
  const { clientId = '' } = (await verify((await create()).token)) ?? {};
  const { accountId } = ada;
  for (const client of [clientId, 'app']) await subscribed(door.open, accountId, { client });
  const clients = async () =>
    (await door.open.store.subscriptions.ofAccount(accountId)).map((each) => each.clientId).sort();
  const servicesWith = (personalTokens: boolean) =>
    createServices(serviceContext(door.open, { personalTokens, ircChannels: DOOR_CHANNELS }));

  await servicesWith(true).prepare();
  expect(await clients()).toEqual(['app', clientId]);
  await servicesWith(false).prepare();
  expect(await clients()).toEqual(['app']);
});

test('a token whose callback is being verified while an owner turns tokens off gets no subscription', async () => {
  const { clientId = '' } = (await verify((await create()).token)) ?? {};
  const { accountId } = ada;
  const settings = { personalTokens: true, ircChannels: DOOR_CHANNELS };
  const context = serviceContext(door.open, settings);
  const callbacks = {
    ...context.callbacks,
    check: () => undefined,
    verify: async () => {
      context.settings = { ...context.settings, personalTokens: false };
      return undefined;
    },
  };
  const wanted = { filters: {}, url: 'https://agent.example/hook', secret: 'secret', ttlMs: undefined };

  const asked = subscribe(Object.assign(context, { callbacks }), { accountId, clientId }, wanted);

  await expect(asked).rejects.toMatchObject({ code: 'access_ended' });
  expect(await door.open.store.subscriptions.ofAccount(accountId)).toEqual([]);
});

test('a person has twenty at a time, also when many are asked for at once, and others have theirs', async () => {
  const asked = await Promise.allSettled(Array.from({ length: PERSONAL_TOKENS_MAX + 5 }, (_, n) => create(`${n}`)));

  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(PERSONAL_TOKENS_MAX);
  await expect(create()).rejects.toMatchObject({ code: 'personal_tokens_exhausted' });
  expect(await create('of bob', 7, (await door.agent('bob')).accountId)).toBeDefined();

  const [agent] = await own();
  await door.services.revokeAgent(ada.accountId, agent?.consentId ?? '');
  expect(await create()).toBeDefined();
});

test('a token is kept nowhere, only its hash', async () => {
  const { token } = await create();
  const rows = await Promise.all(
    ['consents', 'oauth_records', 'agent_sessions'].map((table) => door.open.database(table).select()),
  );

  expect(JSON.stringify(rows)).not.toContain(token);
  expect(JSON.stringify(rows)).not.toContain(token.slice('homeport_'.length));
});
