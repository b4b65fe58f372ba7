import { expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { Bouncer } from '../../../../src/connector/ports/bouncer.ts';
import type { LoginAnswer } from '../../../../src/connector/ports/bouncer-logins.ts';
import { AccountLogin } from '../../../../src/connector/presence/account-login.ts';
import { Mailbox } from '../../../../src/connector/presence/mailbox.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { storeSend } from '../../../harness/stored-sends.ts';
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

test('a server that repeats the password as it refuses a connection, channel, nick or line shows it to no page and no agent', async () => {
  const repeated = `bad password: ${PROOF.password}.`;
  const attach: Bouncer['attach'] = async (_account, _channels, events) => ({
    ...silentSession,
    sendMessage: (channel) => void setImmediate(() => events.onSendRefused(channel, repeated)),
    ...{ nick: 'ada_', joinedChannels: [] },
    ...{ upstreamError: repeated, nickRefusal: repeated, notJoinedReason: () => repeated },
  });
  const bouncer = { ...obedientBouncer, attach };
  const { presence } = serviceContext(open, { otherNetworks: [OTHER] }, bouncer);
  const { messageId } = await storeSend(open, {
    ...{ accountId, clientId: 'client', sessionId: undefined, idempotencyKey: undefined, network: OTHER.name },
    ...{ channel: '#room', nick: 'ada', text: 'hello', parts: [{ text: 'hello', tag: 'the tag' }] },
  });

  await presence.goOnline(accountId);
  await presence.nickChanged(accountId);
  const failed = await waitFor('the send fails', async () => {
    const message = await open.store.messages.find(messageId);
    return message?.status === 'failed' && JSON.stringify(message);
  });
  const shown = JSON.stringify(await presence.status(accountId));
  const stored = await open.store.networkLogins.find(accountId, OTHER);
  await open.store.networkLogins.clear(stored?.loginId ?? '');
  await presence.loginCleared(accountId);
  const afterwards = JSON.stringify(await presence.status(accountId));
  await presence.close();

  // The connection, the channel, and the nick twice.
  expect([shown, afterwards].map((status) => status.match(/bad password: \*\*\*\./g)?.length)).toEqual([4, 4]);
  expect(failed).toContain('bad password: ***.');
  expect(failed + shown + afterwards).not.toContain(PROOF.password);
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
