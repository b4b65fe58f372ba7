import { expect } from 'vitest';
import { AGENT_SESSION_IDLE_MS, CONSENT_IDLE_MS } from '../../../../src/connector/domain/limits.ts';
import type { Scope } from '../../../../src/connector/domain/scope.ts';
import { createServices, type Services } from '../../../../src/connector/services/index.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { serviceContext } from '../../../harness/use-case-context.ts';

const HOUR_MS = 3_600_000;

const test = testWithNewStore();

let services: Services;
let ada: string;
let families = 0;

test.beforeEach(async () => {
  services = createServices(serviceContext(open));
  ada = await open.account('ada');
});

const pass = (ms: number) => open.clock.set(open.clock.now() + ms);

test('a person sees each client once: since when, what it may, when it was last there, how many sessions it has', async () => {
  const begun = open.clock.now();
  await allow(ada, 'boat', ['irc:read'], 'Paper boat');
  pass(HOUR_MS);
  await allow(ada, 'kite');
  pass(HOUR_MS);
  await allow(ada, 'boat', ['irc:write'], 'Paper ship');
  await open.store.agentSessions.create(ada, 'boat');
  pass(HOUR_MS);
  await open.store.agentSessions.create(ada, 'boat');

  expect(await services.agents(ada)).toEqual([
    {
      consentId: expect.stringMatching(/^con_/),
      clientId: 'boat',
      clientName: 'Paper ship',
      givenName: null,
      vouchedBy: undefined,
      scopes: expect.toSatisfy((scopes: Scope[]) => [...scopes].sort().join() === 'irc:read,irc:write'),
      createdAt: begun,
      lastUsedAt: begun + 2 * HOUR_MS,
      endsAt: null,
      sessions: { count: 2, lastUsedAt: begun + 3 * HOUR_MS },
    },
    expect.objectContaining({ clientId: 'kite', clientName: 'kite', sessions: { count: 0, lastUsedAt: null } }),
  ]);
});

test('the person sees whose address describes a client, with any name that it gives itself', async () => {
  await allow(ada, 'https://agent.example/oauth/client.json', ['irc:read'], 'Claude');
  await allow(ada, 'HTTPS://Agent.Example:8443/client', ['irc:read'], 'Claude');
  await allow(ada, 'registered', ['irc:read'], 'https://claude.ai');

  const byClient = new Map((await services.agents(ada)).map(({ clientId, vouchedBy }) => [clientId, vouchedBy]));

  expect(Object.fromEntries(byClient)).toEqual({
    'https://agent.example/oauth/client.json': 'agent.example',
    'HTTPS://Agent.Example:8443/client': 'agent.example:8443',
    registered: undefined,
  });
});

test('a name that a person gives an agent holds for all it was allowed and is allowed later, until they take it back', async () => {
  const bob = await open.account('bob');
  await allow(ada, 'boat', ['irc:read'], 'Paper boat');
  await allow(bob, 'boat', ['irc:read'], 'Paper boat');
  const [{ consentId } = { consentId: '' }] = await services.agents(ada);
  const names = async (of: string) =>
    (await services.agents(of)).map(({ clientName, givenName }) => [clientName, givenName]);

  expect(await services.renameAgent(ada, consentId, 'Mine')).toBe(true);
  pass(HOUR_MS);
  await allow(ada, 'boat', ['irc:write'], 'Paper ship');

  expect(await names(ada)).toEqual([['Paper ship', 'Mine']]);
  expect(await names(bob)).toEqual([['Paper boat', null]]);
  expect(await services.renameAgent(ada, consentId, null)).toBe(true);
  expect(await names(ada)).toEqual([['Paper ship', null]]);
});

test('an agent without access, or of another person, gets no name', async () => {
  const bob = await open.account('bob');
  await allow(ada, 'boat');
  const [{ consentId } = { consentId: '' }] = await services.agents(ada);

  expect(await services.renameAgent(bob, consentId, 'Theirs')).toBe(false);
  await services.revokeAgent(ada, consentId);
  expect(await services.renameAgent(ada, consentId, 'Late')).toBe(false);
  await allow(ada, 'boat');
  expect(await services.agents(ada)).toMatchObject([{ givenName: null }]);
  pass(CONSENT_IDLE_MS + HOUR_MS);
  expect(await services.renameAgent(ada, consentId, 'Too late')).toBe(false);
});

test('agents that have ended by themselves are not shown, and sessions of others don’t count', async () => {
  const bob = await open.account('bob');
  await allow(ada, 'boat');
  await open.store.agentSessions.create(ada, 'boat');
  pass(AGENT_SESSION_IDLE_MS - HOUR_MS);
  await allow(ada, 'kite');
  await open.store.agentSessions.create(bob, 'kite');
  pass(2 * HOUR_MS);
  expect(CONSENT_IDLE_MS).toBe(AGENT_SESSION_IDLE_MS);

  expect(await services.agents(ada)).toMatchObject([{ clientId: 'kite', sessions: { count: 0, lastUsedAt: null } }]);
});

test('taking back the access of a client ends all its consents and sessions, and no other client’s', async () => {
  const bob = await open.account('bob');
  await allow(ada, 'boat', ['irc:read']);
  await allow(ada, 'boat', ['irc:read', 'irc:write']);
  await allow(ada, 'kite');
  await allow(bob, 'boat');
  const ended = await open.store.agentSessions.create(ada, 'boat');
  const others = [
    await open.store.agentSessions.create(ada, 'kite'),
    await open.store.agentSessions.create(bob, 'boat'),
  ];
  // The first use puts everything into the caches that can be there.
  expect(await open.store.agentSessions.touch(ended, ada, 'boat')).toBe(true);
  const boat = (await services.agents(ada)).find(({ clientId }) => clientId === 'boat');

  expect(await services.revokeAgent(ada, boat?.consentId ?? '')).toBe(true);

  expect((await services.agents(ada)).map(({ clientId }) => clientId)).toEqual(['kite']);
  expect((await services.agents(bob)).map(({ clientId }) => clientId)).toEqual(['boat']);
  expect(await open.store.agentSessions.touch(ended, ada, 'boat')).toBe(false);
  expect(await open.store.agentSessions.touch(others[0] ?? '', ada, 'kite')).toBe(true);
  expect(await open.store.agentSessions.touch(others[1] ?? '', bob, 'boat')).toBe(true);
  expect(await services.revokeAgent(ada, boat?.consentId ?? '')).toBe(false);
});

test('a revocation that fails half-way has no effect, and can be repeated', async () => {
  await allow(ada, 'boat');
  const session = await open.store.agentSessions.create(ada, 'boat');
  const [boat] = await services.agents(ada);
  // One of the two kinds that end can't end.
  await open.database.schema.renameTable('agent_sessions', 'agent_sessions_elsewhere');
  await expect(services.revokeAgent(ada, boat?.consentId ?? '')).rejects.toThrow();
  await open.database.schema.renameTable('agent_sessions_elsewhere', 'agent_sessions');

  expect(await services.agents(ada)).toMatchObject([{ clientId: 'boat', sessions: { count: 1 } }]);
  expect(await services.revokeAgent(ada, boat?.consentId ?? '')).toBe(true);
  expect(await services.agents(ada)).toEqual([]);
  expect(await open.store.agentSessions.touch(session, ada, 'boat')).toBe(false);
});

test('a consent of another person can’t be taken back', async () => {
  const bob = await open.account('bob');
  await allow(ada, 'boat');
  const [boat] = await services.agents(ada);

  expect(await services.revokeAgent(bob, boat?.consentId ?? '')).toBe(false);
  expect(await services.agents(ada)).toHaveLength(1);
});

test('all that an account allows can be ended at once', async () => {
  const bob = await open.account('bob');
  await Promise.all([allow(ada, 'boat'), allow(ada, 'kite'), allow(bob, 'boat')]);

  await open.consents.endAccount(ada);

  expect([await services.agents(ada), (await services.agents(bob)).length]).toEqual([[], 1]);
});

function allow(
  accountId: string,
  clientId: string,
  scopes: Scope[] = ['irc:read'],
  clientName = clientId,
): Promise<void> {
  families += 1;
  return open.consents.begin({ grantHash: `family ${families}`, accountId, clientId, clientName, scopes });
}
