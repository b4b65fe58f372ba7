import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { createAdminSocket } from '../../../src/connector/bouncer/admin-socket.ts';
import type { Agent } from '../../harness/agent.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected, informationOf } from '../../harness/person.ts';
import { ProxiedServer } from '../../harness/proxied-server.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';

const PASSWORD = 'right-password-of-the-tests';
const WRONG = 'wrong-password-of-the-tests';

let server: ProxiedServer;
let stack: ConnectorStack;
let operator: IrcClient;
/** Every response to a question for a password that reached the server, in plain text. */
const offered: string[] = [];

beforeAll(async () => {
  server = new ProxiedServer();
  stack = await startConnectorStack({
    isUnpaced: true,
    config: { settings: { ownerLogins: ['ada'], maxUsers: 20 } },
    startServer: (options) => server.start({ ...options, hasOperator: true, hasAccounts: true }),
  });
  server.proxy.toServer = (line) => {
    const [, response = ''] = /^(?:@\S+ )?AUTHENTICATE (\S+)$/.exec(line) ?? [];
    const text = Buffer.from(response, 'base64').toString();
    if (text.includes('\0')) offered.push(text.slice(1).replace('\0', ' '));
    return line;
  };
  operator = await joinIrc(server.direct, 'opie', ['#room']);
  operator.send('OPER', 'root', 'operator');
  await operator.seen('the operator', ({ command }) => command === '381');
});

// Attempts count over restarts and for all people of a network, so those of the tests before would refuse a login.
beforeEach(async () => {
  const database = stack.database.connect();
  await database('login_attempts').delete();
  await database.destroy();
});

afterAll(async () => {
  operator?.[Symbol.dispose]();
  for (const part of [server, stack]) await part?.[Symbol.asyncDispose]();
});

const cardIn = (body: string): string =>
  /<section class="card" id="network-login".*?<\/section>/s.exec(body)?.[0] ?? body;

const loggedInAs = async ({ agent }: Person): Promise<unknown> => (await informationOf(agent))['loggedInAs'];

const offers = (name: string): string[] => offered.filter((text) => text.startsWith(`${name} `));

test('a right password logs in at once, and again with each connection, and no page shows it', async () => {
  await register('ada-there');
  await using ada = await person('ada');
  await ada.agent.call('go_online');
  await connected(ada.agent);

  const card = await ada.submit('/settings/login', { account: 'ada-there', password: PASSWORD });

  expect(card).toContain('logged in</span> as <code>ada-there</code>');
  expect(card).not.toContain(PASSWORD);
  expect(await loggedInAs(ada)).toBe('ada-there');
  expect((await informationOf(ada.agent))['problems']).toEqual([]);
  await ada.agent.call('go_offline');
  expect(await loggedInAs(ada)).toBeNull();
  await ada.agent.call('go_online');
  await waitFor('ada is logged in again', async () => (await loggedInAs(ada)) === 'ada-there');
  expect(offers('ada-there')).toHaveLength(2);
});

test('a wrong password is refused in the words of the server, and never offered again', async () => {
  await register('bob-there');
  await using bob = await person('bob');
  await bob.agent.call('go_online');
  await connected(bob.agent);

  const card = await bob.submit('/settings/login', { account: 'bob-there', password: WRONG });

  expect(card).toContain('did not accept it');
  expect(card).toMatch(/The network said: <q>[^<]*(?:[Ii]nvalid|fail)/);
  expect(card).not.toContain(WRONG);
  const problems = (await informationOf(bob.agent))['problems'] as string[];
  expect(problems.join()).toContain('did not accept the login');
  for (let time = 0; time < 2; time += 1) {
    await bob.agent.call('go_offline');
    await bob.agent.call('go_online');
    await connected(bob.agent);
  }
  await stack.restartSoju();
  await connected(bob.agent);
  expect(offers('bob-there')).toEqual([`bob-there ${WRONG}`]);
  expect(await loggedInAs(bob)).toBeNull();
});

test('an account that the network suspends is reported as lost, and its password is not offered again', async () => {
  await register('eve-there');
  await using eve = await person('eve');
  await eve.agent.call('go_online');
  await connected(eve.agent);
  await eve.submit('/settings/login', { account: 'eve-there', password: PASSWORD });
  expect(await loggedInAs(eve)).toBe('eve-there');

  operator.send('PRIVMSG', 'NickServ', 'SUSPEND ADD eve-there 1d a test');

  await waitFor('eve is told', async () => (await eve.card()).includes('accepts it no longer'));
  expect(await eve.card()).toMatch(/The network said: <q>[^<]+<\/q>/);
  expect(await loggedInAs(eve)).toBeNull();
  expect(((await informationOf(eve.agent))['problems'] as string[]).join()).toContain('accepts the login no longer');
  const sofar = offers('eve-there').length;
  expect(sofar).toBeLessThanOrEqual(3);
  await eve.agent.call('go_offline');
  await eve.agent.call('go_online');
  await connected(eve.agent);
  expect(offers('eve-there')).toHaveLength(sofar);

  operator.send('PRIVMSG', 'NickServ', 'SUSPEND DEL eve-there');
  await waitFor('eve is let in again', async () =>
    (await eve.submit('/settings/login/try')).includes('as <code>eve-there</code>'),
  );
});

test('an account that is unregistered while its person is logged in is reported as lost', async () => {
  await register('joan-there');
  await using joan = await person('joan');
  await joan.agent.call('go_online');
  await connected(joan.agent);
  await joan.submit('/settings/login', { account: 'joan-there', password: PASSWORD });
  expect(await loggedInAs(joan)).toBe('joan-there');

  operator.send('PRIVMSG', 'NickServ', 'ERASE joan-there');
  const code = await waitFor('the code', () =>
    operator.lines.map(({ params }) => /ERASE joan-there (\S+)/.exec(params[1] ?? '')?.[1]).find(Boolean),
  );
  operator.send('PRIVMSG', 'NickServ', `ERASE joan-there ${code}`);

  await waitFor('joan is told', async () => (await joan.card()).includes('accepts it no longer'));
  expect(await loggedInAs(joan)).toBeNull();
});

test('a login that is entered offline is tried when its person goes online, and follows the program over a restart', async () => {
  await register('mary-there');
  await using mary = await person('mary');
  expect(await mary.submit('/settings/login', { account: 'mary-there', password: PASSWORD })).toContain(
    'Not tried yet',
  );
  expect(offers('mary-there')).toEqual([]);

  await mary.agent.call('go_online');
  await waitFor('mary is logged in', async () => (await loggedInAs(mary)) === 'mary-there');
  expect(offers('mary-there')).toHaveLength(1);
  await stack.restartConnector();
  await waitFor('mary is still logged in', async () => (await loggedInAs(mary)) === 'mary-there');

  expect(offers('mary-there')).toHaveLength(1);
  const [status] = await Promise.all([
    fetch(`${stack.baseUrl}/v1/status`, { headers: { authorization: `Bearer ${mary.agent.accessToken}` } }),
  ]);
  expect(await status.json()).toMatchObject({ connected: true, logged_in_as: 'mary-there' });
});

test('a bouncer that has lost what it was given is given it again before it connects', async () => {
  await using mary = await person('mary');
  await mary.agent.call('go_offline');
  const soju = createAdminSocket(stack.soju.adminSocket);
  const users = (await soju(['user', 'status'])).flatMap((line) => /^(homeport-[^\s:]+)/.exec(line)?.[1] ?? []);
  for (const user of users)
    await soju(['user', 'run', user, 'sasl', 'reset', '-network', 'main']).catch(() => undefined);

  await mary.agent.call('go_online');

  await waitFor('mary is logged in', async () => (await loggedInAs(mary)) === 'mary-there');
});

test('a cleared login is gone from the database and from the bouncer, and its person is logged out at once', async () => {
  await using mary = await person('mary');
  await waitFor('mary is logged in', async () => (await loggedInAs(mary)) === 'mary-there');
  const before = offers('mary-there').length;

  expect(await mary.submit('/settings/login/clear')).toContain('forgotten');

  await waitFor('mary is logged out', async () => {
    const { upstreamConnected, loggedInAs: as } = await informationOf(mary.agent);
    return upstreamConnected === true && as === null;
  });
  expect((await informationOf(mary.agent))['problems']).toEqual([]);
  await stack.restartSoju();
  await connected(mary.agent);
  expect(offers('mary-there')).toHaveLength(before);
});

test('another login takes the place of one that is in use, and one that is wrong leaves its person logged out', async () => {
  await register('ruth-there');
  await register('ruth-too');
  await using ruth = await person('ruth');
  await ruth.agent.call('go_online');
  await connected(ruth.agent);
  await ruth.submit('/settings/login', { account: 'ruth-there', password: PASSWORD });

  expect(await ruth.submit('/settings/login', { account: 'ruth-too', password: PASSWORD })).toContain(
    '<code>ruth-too</code>',
  );
  expect(await loggedInAs(ruth)).toBe('ruth-too');
  expect(await ruth.submit('/settings/login', { account: 'ruth-there', password: WRONG })).toContain(
    'did not accept it',
  );
  expect(await loggedInAs(ruth)).toBeNull();
  expect(offers('ruth-there').filter((text) => text.endsWith(WRONG)).length).toBeLessThanOrEqual(2);

  const fourth = await ruth.submit('/settings/login', { account: 'ruth-there', password: PASSWORD });
  expect(fourth).toContain('as often as one may');
  expect(await loggedInAs(ruth)).toBeNull();
});

test('where the network offers no SASL its NickServ is asked, by a command that no stranger can answer', async () => {
  const { fromServer } = server.proxy;
  server.proxy.fromServer = (line) => line.replace(/ sasl(?:=\S+)?/, '');
  await register('nell-there');
  await using nell = await person('nell');
  await nell.agent.call('go_online');
  await connected(nell.agent);

  expect(await nell.submit('/settings/login', { account: 'nell-there', password: WRONG })).toMatch(
    /The network said: <q>/,
  );
  expect(await loggedInAs(nell)).toBeNull();
  const card = await nell.submit('/settings/login', { account: 'nell-there', password: PASSWORD });

  expect(card).toContain('as <code>nell-there</code>');
  expect(await loggedInAs(nell)).toBe('nell-there');
  expect(offers('nell-there')).toEqual([]);
  server.proxy.fromServer = fromServer;
});

test('no password is in a log of the connector', () => {
  expect(stack.connector.output()).not.toContain(PASSWORD);
  expect(stack.connector.output()).not.toContain(WRONG);
});

/** Makes an account at the network. */
async function register(name: string, password = PASSWORD): Promise<void> {
  operator.send('PRIVMSG', 'NickServ', `SAREGISTER ${name} ${password}`);
  await waitFor(`${name} is registered`, () =>
    operator.lines.some(
      ({ command, params }) =>
        command === 'NOTICE' && /registered/i.test(params[1] ?? '') && (params[1] ?? '').includes(name),
    ),
  );
}

async function person(login: string): Promise<Person> {
  await stack.invite(login, ['#room']);
  const agent = await agentIn(stack, login, ['#room']);
  const browser = await stack.signIn(login);
  const open = () => browser.open(`${stack.baseUrl}/settings`);
  return {
    agent,
    submit: async (form, fields = {}) => cardIn((await browser.submit(await open(), fields, form)).body),
    card: async () => cardIn((await open()).body),
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}

interface Person extends AsyncDisposable {
  agent: Agent;
  /** Sends a form of the card and gives the text of the card that follows. */
  submit(form: string, fields?: Record<string, string>): Promise<string>;
  card(): Promise<string>;
}
