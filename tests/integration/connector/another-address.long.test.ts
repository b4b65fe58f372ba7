import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startIdentityProvider } from '../../../scripts/stack/identity-provider.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { connectAgent } from '../../harness/agent.ts';
import type { CookieBrowser } from '../../harness/cookie-browser.ts';
import { captured, textsOf } from '../../harness/history.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { runConnector } from '../../harness/lonely-connector.ts';
import { refresh } from '../../harness/oauth-client.ts';
import { agentIn, connected } from '../../harness/person.ts';
import { type ConnectorStack, IDP_CLIENT, signIn, startConnectorStack } from '../../harness/start-connector.ts';

const BAD = 78;

test('an installation that gets another address on purpose keeps people, history and cursors, and lets agents in anew there', async () => {
  await using stack = await startConnectorStack({
    config: { settings: { ownerLogins: ['ada'], maxUsers: 3, personalTokens: true } },
  });
  const { baseUrl: old } = stack;
  const { port } = new URL(old);
  const moved = `http://localhost:${port}`;
  await using agent = await agentIn(stack, 'ada', ['#room']);
  const browser = await stack.signIn('ada');
  const personal = await personalToken(browser, stack);
  await agent.call('go_online');
  await connected(agent);
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  for (const text of ['first', 'second']) bob.say('#room', text);
  await captured(agent, 'second');
  const { sessionId } = await agent.call('see_account_information');
  const session = { channel: '#room', session_id: sessionId };
  const { entries } = await agent.call('read_history', { ...session, mode: 'unread', limit: 1 });
  await agent.call('ack_messages', { ...session, entry_id: (entries as { entryId: string }[])[0]?.entryId });
  const before = await textsOf(agent);
  await stack.connector.stop();

  // The first change is a mistake: the doctor and the start say the same about it.
  await configure(stack, { baseUrl: moved });
  const [refused, seen] = [await runConnector(stack.configFile), await runConnector(stack.configFile, 'doctor')];
  expect(refused.exitCode).toBe(BAD);
  expect(refused.stderr).toMatch(
    new RegExp(
      `^[^\\n]* belongs to the connector at ${old}, and baseUrl is ${moved}: [^\\n]* set previousBaseUrl to ${old}$`,
    ),
  );
  expect(seen.stdout).toMatch(/WRONG {3}installation .* set previousBaseUrl to http:\/\/127/);
  await configure(stack, { previousBaseUrl: old });
  const meant = await runConnector(stack.configFile, 'doctor');
  expect(meant.stdout).toMatch(
    new RegExp(`ok {6}installation .* of ${old}, which becomes ${moved} at the next start, `),
  );
  await stack.identityProvider.process.stop();
  stack.identityProvider = await startIdentityProvider({
    ...{ folder: join(stack.folder, 'idp'), port: stack.identityProvider.port, ...IDP_CLIENT },
    redirectUri: `${moved}/login/idp/callback`,
  });
  await stack.revive('connector');

  const statusAt = async (token: string) =>
    (await fetch(`${moved}/v1/status`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await statusAt(agent.accessToken)).toBe(401);
  const { client, stored } = agent.credentials;
  const renewed = await refresh({ baseUrl: moved }, client?.client_id ?? '', stored?.refresh_token ?? '');
  expect(renewed.status).toBe(400);
  // A token that a person made by hand names no address.
  expect(await statusAt(personal)).toBe(200);
  await using anew = await connectAgent({ baseUrl: moved, signIn: (login) => signIn(moved, login) }, 'ada');
  bob.say('#room', 'third');
  await captured(anew, 'third');
  expect(await textsOf(anew)).toEqual([...before, 'third']);
  const there = await anew.call('see_account_information');
  expect(there).toMatchObject({ nick: 'ada', presence: 'online' });

  // The option may stay, and may go.
  await stack.restartConnector();
  await stack.connector.stop();
  await configure(stack, { previousBaseUrl: undefined });
  await stack.revive('connector');
  await waitFor('its history is there', async () => (await textsOf(anew)).includes('third'));
});

async function personalToken(browser: CookieBrowser, { baseUrl }: ConnectorStack): Promise<string> {
  const fields = { name: 'Nightly report', days: '30', scope: 'irc:read' };
  const made = await browser.submit(await browser.open(`${baseUrl}/settings`), fields, '/settings/tokens');
  return /homeport_[\w-]{43}/.exec(made.body)?.[0] ?? '';
}

/** Changes the configuration, as a person who follows the guide does. */
async function configure(stack: ConnectorStack, changes: Record<string, unknown>): Promise<void> {
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as Record<string, unknown>;
  await writeFile(stack.configFile, JSON.stringify({ ...config, ...changes }));
}
