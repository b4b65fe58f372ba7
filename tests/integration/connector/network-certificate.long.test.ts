import { afterAll, beforeAll, expect, test } from 'vitest';
import { startErgo } from '../../../scripts/stack/ergo.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { createAdminSocket } from '../../../src/connector/bouncer/admin-socket.ts';
import type { Agent } from '../../harness/agent.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected, informationOf } from '../../harness/person.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { createAuthority } from '../../harness/test-authority.ts';

let stack: ConnectorStack;
let ada: Agent;
/** The person at the network, in a client of their own. */
let there: IrcClient;
const disposables = new AsyncDisposableStack();

beforeAll(async () => {
  const folder = disposables.use(await tempFolder());
  const authority = await createAuthority(folder.path);
  const tls = { port: await freePort(), ...(await authority.issue('DNS:localhost')) };
  stack = disposables.use(
    await startConnectorStack({
      isUnpaced: true,
      authorities: authority.file,
      startServer: (options) => startErgo({ ...options, hasAccounts: true, tls }),
      bouncer: { otherNetworks: [{ name: 'secure', address: `ircs://localhost:${tls.port}` }] },
    }),
  );
  there = disposables.use(await joinIrc(stack.ergo, 'ada-there', []));
  there.send('PRIVMSG', 'NickServ', 'REGISTER a-password-of-the-tests');
  await there.seen('the account', ({ params }) => /account created/i.test(params[1] ?? ''));
  ada = disposables.use(await agentIn(stack, 'ada', ['#room']));
  await submit('/settings/network', { network: 'secure' });
  await ada.call('go_online');
  await connected(ada);
});

afterAll(() => disposables.disposeAsync());

const cardIn = (body: string): string =>
  /<section class="card" id="network-login".*?<\/section>/s.exec(body)?.[0] ?? body;

const loggedInAs = async (): Promise<unknown> => (await informationOf(ada))['loggedInAs'];

test('a certificate that the network does not know yet is refused, and logs in when its person has added it there', async () => {
  const made = await submit('/settings/login/certificate');
  const [, fingerprint = ''] = /<code class="copy">([0-9a-f]{64})<\/code>/.exec(made) ?? [];
  expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);

  expect(await submit('/settings/login/try')).toContain('did not accept it');
  expect(await loggedInAs()).toBeNull();
  there.send('PRIVMSG', 'NickServ', `CERT ADD ${fingerprint}`);
  await there.seen('the certificate', ({ params }) =>
    /certificate fingerprint.*(?:added|success)/i.test(params[1] ?? ''),
  );

  expect(await submit('/settings/login/try')).toContain('as <code>ada-there</code>');
  await stack.restartSoju();
  await waitFor('ada is logged in again', async () => (await loggedInAs()) === 'ada-there');
});

test('a certificate that the network or the bouncer has lost is reported as lost', async () => {
  const [, fingerprint = ''] = /<code class="copy">([0-9a-f]{64})<\/code>/.exec(await card()) ?? [];
  there.send('PRIVMSG', 'NickServ', `CERT DEL ${fingerprint}`);
  await there.seen('the end', ({ params }) => /fingerprint.*(?:removed|success|deleted)/i.test(params[1] ?? ''));
  await ada.call('go_offline');
  await ada.call('go_online');
  await waitFor('ada is told', async () =>
    ((await informationOf(ada))['problems'] as string[]).join().includes('no longer'),
  );

  const soju = createAdminSocket(stack.soju.adminSocket);
  const users = (await soju(['user', 'status'])).flatMap((line) => /^(homeport-[^\s:]+)/.exec(line)?.[1] ?? []);
  await ada.call('go_offline');
  for (const user of users) await soju(['user', 'run', user, 'certfp', 'generate', '-network', 'secure']);
  await ada.call('go_online');
  await waitFor('ada is told', async () =>
    ((await informationOf(ada))['problems'] as string[]).join().includes('make a new one'),
  );
});

async function submit(form: string, fields: Record<string, string> = {}): Promise<string> {
  const browser = await stack.signIn('ada');
  return cardIn((await browser.submit(await browser.open(`${stack.baseUrl}/settings`), fields, form)).body);
}

async function card(): Promise<string> {
  const browser = await stack.signIn('ada');
  return cardIn((await browser.open(`${stack.baseUrl}/settings`)).body);
}
