import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { startErgo } from '../../../scripts/stack/ergo.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected, informationOf } from '../../harness/person.ts';
import { ProxiedServer } from '../../harness/proxied-server.ts';

const PASSWORD = 'for-one-network-alone';

const test = testWithStack({
  isUnpaced: true,
  startServer: (options) => startErgo({ ...options, hasAccounts: true }),
});

/** The network that another name or another address leads to, and all that the bouncer says there. */
const hostile = new ProxiedServer();
const heard: string[] = [];
let hostileAddress: string;
let ada: Agent;

test.beforeAll(async () => {
  const { host, port } = await hostile.start({ folder: join(stack.folder, 'hostile-ergo'), hasAccounts: true });
  hostileAddress = `irc+insecure://${host}:${port}`;
  hostile.proxy.toServer = (line) => {
    heard.push(line);
    return line;
  };
  using owner = await joinIrc(stack.ergo, 'ada-there', []);
  owner.send('PRIVMSG', 'NickServ', `REGISTER ${PASSWORD}`);
  await owner.seen('the account', ({ params }) => /account created/i.test(params[1] ?? ''));
  owner.send('QUIT', 'bye');
  ada = await agentIn(stack, 'ada', ['#room']);
  await ada.call('go_online');
  await connected(ada);
  const browser = await stack.signIn('ada');
  const fields = { account: 'ada-there', password: PASSWORD };
  await browser.submit(await browser.open(`${stack.baseUrl}/settings`), fields, '/settings/login');
});

afterAll(async () => {
  for (const part of [ada, hostile]) await part?.[Symbol.asyncDispose]();
});

const loggedInAs = async (): Promise<unknown> => (await informationOf(ada))['loggedInAs'];

/** Returns the lines that would give the hostile network a password, in any form. */
const told = (): string[] =>
  heard.filter((line) => /AUTHENTICATE|NICKSERV|IDENTIFY/i.test(line) || line.includes(PASSWORD));

const arrivals = (): number => heard.filter((line) => line.startsWith('USER ')).length;

test('a password does not go to another address that the configuration gives its network', async () => {
  expect(await loggedInAs()).toBe('ada-there');
  const usual = JSON.parse(await readFile(stack.configFile, 'utf8')).bouncer.soju.network.address as string;

  await configure(({ network }) => Object.assign(network, { address: hostileAddress }));
  await waitFor('ada is there', async () => arrivals() > 0 && (await informationOf(ada))['upstreamConnected'] === true);

  expect(await loggedInAs()).toBeNull();
  expect(told()).toEqual([]);
  await configure(({ network }) => Object.assign(network, { address: usual }));
  await waitFor('ada is logged in where she belongs', async () => (await loggedInAs()) === 'ada-there');
  expect(told()).toEqual([]);
});

test('a password does not go to another network that the configuration gives its name, nor by another name', async () => {
  const { network } = (JSON.parse(await readFile(stack.configFile, 'utf8')) as Config).bouncer.soju;
  const before = arrivals();

  await configure((soju) =>
    Object.assign(soju, {
      network: { ...network, name: network.name, address: hostileAddress },
      otherNetworks: [{ ...network, name: 'renamed' }],
    }),
  );
  await waitFor(
    'ada is there',
    async () => arrivals() > before && (await informationOf(ada))['upstreamConnected'] === true,
  );
  expect(await loggedInAs()).toBeNull();

  const browser = await stack.signIn('ada');
  await browser.submit(await browser.open(`${stack.baseUrl}/settings`), { network: 'renamed' }, '/settings/network');
  await connected(ada);

  expect(await loggedInAs()).toBeNull();
  expect(told()).toEqual([]);
});

async function configure(change: (soju: Config['bouncer']['soju']) => void): Promise<void> {
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as Config;
  change(config.bouncer.soju);
  await writeFile(stack.configFile, JSON.stringify(config));
  await stack.restartConnector();
}

interface Config {
  bouncer: {
    soju: { network: { name: string; address: string }; otherNetworks?: { name: string; address: string }[] };
  };
}
