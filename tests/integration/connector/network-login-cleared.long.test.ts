import { afterAll, beforeAll, expect, test } from 'vitest';
import { startErgo } from '../../../scripts/stack/ergo.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { createAdminSocket } from '../../../src/connector/bouncer/admin-socket.ts';
import type { Agent } from '../../harness/agent.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected, informationOf } from '../../harness/person.ts';
import { ProxiedServer } from '../../harness/proxied-server.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const PASSWORD = 'password-to-forget';
/** Numerics by which a network accepts a login. */
const ACCEPTED = / 90[03] /;

let stack: ConnectorStack;
const server = new ProxiedServer();
const disposables = new AsyncDisposableStack();

beforeAll(async () => {
  const folder = disposables.use(await tempFolder());
  const other = await startErgo({ folder: `${folder.path}/other-ergo` });
  disposables.defer(() => other.process.stop());
  stack = disposables.use(
    await startConnectorStack({
      isUnpaced: true,
      config: { settings: { ownerLogins: ['ada'], maxUsers: 20 } },
      startServer: (options) => server.start({ ...options, hasAccounts: true }),
      bouncer: { otherNetworks: [{ name: 'other', address: `irc+insecure://${other.host}:${other.port}` }] },
    }),
  );
  disposables.use(server);
});

afterAll(() => disposables.disposeAsync());

const logIn = (login: string): Promise<string> =>
  submit(login, '/settings/login', { account: `${login}-there`, password: PASSWORD });

test('a login for another network than the present one is forgotten by the bouncer, too, when the page says so', async () => {
  await registered('bob');
  await logIn('bob');
  expect(await offered('bob')).not.toEqual([]);
  await submit('bob', '/settings/network', { network: 'other' });

  expect(await submit('bob', '/settings/login/clear')).toContain('is forgotten, here and in the bouncer');

  expect(await offered('bob')).toEqual([]);
});

test('a login that is forgotten before the network has answered is not kept when it answers late', async () => {
  const eve = await registered('eve');
  const { accepted, fromServer } = server.proxy;
  const late: string[] = [];
  server.proxy.fromServer = (line) => {
    if (!ACCEPTED.test(line)) return fromServer(line);
    late.push(line);
    return undefined;
  };
  const entering = logIn('eve');
  await waitFor('the network has accepted it', () => late.length === 2);

  await submit('eve', '/settings/login/clear');
  server.proxy.fromServer = fromServer;
  // The answer is for the connection that asked: a later one does not get it.
  if (server.proxy.accepted === accepted) for (const line of late) server.proxy.tell(line);
  await entering;

  await waitFor('eve is connected without a login', async () => {
    const { upstreamConnected, loggedInAs } = await informationOf(eve);
    return upstreamConnected === true && loggedInAs === null;
  });
  expect(await offered('eve')).toEqual([]);
});

/** Makes an account at the network, and gives the agent of a person who is online there. */
async function registered(login: string): Promise<Agent> {
  using owner = await joinIrc(server.direct, `${login}-there`, []);
  owner.send('PRIVMSG', 'NickServ', `REGISTER ${PASSWORD}`);
  await owner.seen('the account', ({ params }) => /account created/i.test(params[1] ?? ''));
  await stack.invite(login, ['#room']);
  const agent = disposables.use(await agentIn(stack, login, ['#room']));
  await agent.call('go_online');
  await connected(agent);
  return agent;
}

async function submit(login: string, form: string, fields: Record<string, string> = {}): Promise<string> {
  const browser = await stack.signIn(login);
  return (await browser.submit(await browser.open(`${stack.baseUrl}/settings`), fields, form)).body;
}

/** Says what the bouncer offers to the usual network for the account of this name there. */
async function offered(login: string): Promise<string[]> {
  const soju = createAdminSocket(stack.soju.adminSocket);
  const users = (await soju(['user', 'status'])).flatMap((line) => /^(homeport-[^\s:]+)/.exec(line)?.[1] ?? []);
  const lines = await Promise.all(
    users.map((user) => soju(['user', 'run', user, 'sasl', 'status', '-network', 'main'])),
  );
  return lines.flat().filter((line) => line.includes(`"${login}-there"`));
}
