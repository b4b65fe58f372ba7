import { expect } from 'vitest';
import type { LoginAnswer } from '../../../../src/connector/ports/bouncer-logins.ts';
import { AccountLogin } from '../../../../src/connector/presence/account-login.ts';
import { Mailbox } from '../../../../src/connector/presence/mailbox.ts';
import { silentSession } from '../../../harness/bouncer-double.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { serviceContext } from '../../../harness/use-case-context.ts';

const OTHER = { name: 'other', address: 'ircs://other.example' };
const PROOF = { kind: 'password', name: 'ada-there', password: 'for-the-other-network' } as const;

const test = testWithNewStore();

let accountId: string;
/** Passwords that a session has sent to its network. */
let sent: string[];

test.beforeEach(async () => {
  accountId = await open.account('ada');
  await open.store.accounts.chooseNetwork(accountId, OTHER.name);
  await open.store.networkLogins.enter(accountId, OTHER, PROOF);
  sent = [];
});

test('a login is sent on a session of its network', async () => {
  await logInOn('other');
  expect(sent).toEqual([PROOF.password]);
});

test('a login is not sent on a session that is still on the former network, and stays to be tried', async () => {
  await logInOn('main');
  expect(sent).toEqual([]);
  expect(await open.store.networkLogins.find(accountId, OTHER)).toMatchObject({ state: 'waiting', proof: PROOF });
});

test('a network that repeats the password shows it to no page and no agent', async () => {
  const login = await logInOn('other', { outcome: 'refused', words: `Unknown command: IDENTIFY ${PROOF.password}!` });

  expect(await open.store.networkLogins.find(accountId, OTHER)).toMatchObject({
    state: 'refused',
    words: 'Unknown command: IDENTIFY ***!',
  });
  expect(login.record.problem).toContain('IDENTIFY ***');
  expect(login.record.problem).not.toContain(PROOF.password);
});

/** Logs in over a session that is connected to this network, which gives this answer. */
async function logInOn(network: string, answer: LoginAnswer = { outcome: 'accepted' }): Promise<AccountLogin> {
  const context = serviceContext(open, { otherNetworks: [OTHER] });
  const { log } = context;
  const login = new AccountLogin({
    accountId,
    context,
    mailbox: new Mailbox({ accountId, log }),
    changed: () => undefined,
  });
  const logIn = async ({ password }: { password: string }) => {
    sent.push(password);
    return answer;
  };
  login.of({
    session: { ...silentSession, login: { account: undefined, logIn } },
    network,
    connectNetwork: async () => undefined,
    renewNetwork: async () => undefined,
  });
  await login.tryNow();
  await login.settled();
  return login;
}
