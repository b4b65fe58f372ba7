import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected, informationOf } from '../../harness/person.ts';
import { ProxiedServer } from '../../harness/proxied-server.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';

const PASSWORD = 'password-of-the-tests';
/** Characters that soju's commands, IRC or a shell would read as something else. */
const AWKWARD = ':-w "quoted" \\\\ % $HOME `x` ; é ';

let server: ProxiedServer;
let stack: ConnectorStack;
/** Each name and password that reached the server by SASL. */
const offered: string[] = [];
let sasl = '';
let areServicesAway = false;

beforeAll(async () => {
  server = new ProxiedServer();
  stack = await startConnectorStack({
    isUnpaced: true,
    config: { settings: { ownerLogins: ['ada'], maxUsers: 20 } },
    startServer: (options) => server.start({ ...options, hasOperator: true, hasAccounts: true }),
  });
  server.proxy.toServer = (line) => {
    const [, part] = /^(?:@\S+ )?AUTHENTICATE :?(\S+)$/.exec(line) ?? [];
    if (part !== undefined && part !== 'PLAIN') noteResponse(part);
    return areServicesAway ? line.replace(/^((?:@\S+ )?)NICKSERV /, '$1NOSERVICES ') : line;
  };
});

afterAll(async () => {
  for (const part of [server, stack]) await part?.[Symbol.asyncDispose]();
});

test('a login that was accepted stays so while the network has lost its services, says why it is not in use, and can be tried then', async () => {
  const { fromServer } = server.proxy;
  server.proxy.fromServer = (line) =>
    line
      .replace(/ sasl(?:=\S+)?/, '')
      .replace(/ 421 (\S+) NOSERVICES .*/, ' 440 $1 NickServ :Services are currently unavailable');
  await register('ada-there');
  await using ada = await person('ada');
  await ada.agent.call('go_online');
  await connected(ada.agent);
  expect(await ada.submit('/settings/login', { account: 'ada-there', password: PASSWORD })).toContain(
    'as <code>ada-there</code>',
  );

  areServicesAway = true;
  await ada.agent.call('go_offline');
  await ada.agent.call('go_online');
  await waitFor('ada is told', async () =>
    String((await informationOf(ada.agent))['problems']).includes('did not answer the login'),
  );

  const page = await ada.page();
  expect(page).toContain('did not answer it this time');
  expect(page).toContain('The network said: <q>Services are currently unavailable</q>');
  expect(await ada.submit('/settings/login/try')).toContain('did not answer it this time');
  areServicesAway = false;
  const again = await ada.submit('/settings/login/try');
  expect(again).toContain('as <code>ada-there</code>');
  expect(again).not.toContain('currently unavailable');
  expect((await informationOf(ada.agent))['problems']).toEqual([]);
  server.proxy.fromServer = fromServer;
});

test('the longest and the most awkward passwords reach the network as they were written, by both ways', async () => {
  await using bob = await person('bob');
  const longest = `${'"\\'.repeat(140)}${'€'.repeat(6)}ab`;
  expect(Buffer.byteLength(longest)).toBe(300);
  await bob.agent.call('go_online');
  await connected(bob.agent);

  await bob.submit('/settings/login', { account: 'bob-there', password: AWKWARD });
  await bob.submit('/settings/login', { account: '€uro"\\', password: longest });
  await bob.agent.call('go_offline');
  await bob.submit('/settings/login', { account: 'bob-too', password: longest });
  await bob.agent.call('go_online');
  await waitFor('bob’s third login was offered', () => offered.includes(`bob-too ${longest}`));

  expect(offered).toContain(`bob-there ${AWKWARD}`);
  expect(offered).toContain(`€uro"\\ ${longest}`);
  for (const program of [stack.connector.output(), stack.soju.process.output()])
    for (const secret of [PASSWORD, AWKWARD.trim(), longest]) expect(program).not.toContain(secret);
});

test.each([
  ['a line end', `a${String.fromCodePoint(13, 10)}QUIT`],
  ['a NUL', `a${String.fromCodePoint(0)}b`],
  ['more than 300 bytes', '€'.repeat(101)],
])('a password with %s is refused and goes nowhere', async (_, password) => {
  await using ada = await person('ada');
  const before = offered.length;

  expect(await ada.submit('/settings/login', { account: 'ada-there', password })).toContain('A password has 1 to 300');
  expect(offered).toHaveLength(before);
});

/** A response of 400 characters is followed by another part. */
function noteResponse(part: string): void {
  sasl += part === '+' ? '' : part;
  if (part.length === 400) return;
  const [, name, password] = Buffer.from(sasl, 'base64').toString().split('\0');
  offered.push(`${name} ${password}`);
  sasl = '';
}

async function register(name: string): Promise<void> {
  using operator = await joinIrc(server.direct, 'opie', ['#room']);
  operator.send('OPER', 'root', 'operator');
  await operator.seen('the operator', ({ command }) => command === '381');
  operator.send('PRIVMSG', 'NickServ', `SAREGISTER ${name} ${PASSWORD}`);
  await operator.seen(`${name} is registered`, ({ params }) => /registered/i.test(params[1] ?? ''));
}

async function person(login: string) {
  await stack.invite(login, ['#room']);
  const agent = await agentIn(stack, login, ['#room']);
  const browser = await stack.signIn(login);
  const open = () => browser.open(`${stack.baseUrl}/settings`);
  return {
    agent,
    submit: async (form: string, fields: Record<string, string> = {}) =>
      (await browser.submit(await open(), fields, form)).body,
    page: async () => (await open()).body,
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}
