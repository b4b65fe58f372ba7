import pino from 'pino';
import { afterEach, expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { stepWithoutLogin } from '../../../../src/connector/domain/login-steps.ts';
import type { LoginAnswer } from '../../../../src/connector/ports/bouncer-logins.ts';
import { Presences } from '../../../../src/connector/presence/presences.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';

const NETWORK = { name: 'main', address: 'ircs://irc.example' };
const PROOF = { kind: 'password', name: 'ada-there', password: 'secret' } as const;

const test = testWithNewStore();

let accountId: string;
let opened: Presences[];
/** Answers that the network owes to logins, in order. */
let owed: ((answer: LoginAnswer) => void)[];
/** Names that the bouncer was given for its next connection; null for none. */
let offered: (string | null)[];

test.beforeEach(async () => {
  accountId = await open.account('ada', ['#room']);
  [opened, owed, offered] = [[], [], []];
  const loginId = await open.store.networkLogins.enter(accountId, NETWORK, PROOF);
  await open.store.networkLogins.note(loginId, 'accepted');
});

afterEach(async () => {
  for (const presences of opened) await presences.close();
});

const state = async () => (await open.store.networkLogins.find(accountId, NETWORK))?.state;

test('a login that was accepted stays so if the program ends before a network without services has answered', async () => {
  const first = await online();
  await waitFor('the login is sent', () => owed.length === 1);
  expect(await state()).toBe('accepted');
  await first.close();

  await online();
  await waitFor('the next run sends it, too', () => owed.length === 2);
  owed[1]?.({ outcome: 'accepted' });

  await waitFor('the bouncer has it again', () => offered.at(-1) === 'ada-there');
  expect(await state()).toBe('accepted');
});

test('a login that was accepted and is refused now is lost, and leaves the bouncer', async () => {
  await online();
  await waitFor('the login is sent', () => owed.length === 1);
  owed[0]?.({ outcome: 'refused', words: 'no' });

  await waitFor('it is lost', async () => (await state()) === 'lost');
  expect(offered.at(-1)).toBeNull();
});

test('a login without an answer by either way is given up if the network has accepted it before', () => {
  const both = new Set(['session', 'registration'] as const);
  expect(stepWithoutLogin('password', 'accepted', both)).toBe('give_up');
  expect(stepWithoutLogin('password', 'trying', both)).toBe('refused');
});

/** The account in another run of the program, on a network that answers logins when the test says so. */
async function online(): Promise<Presences> {
  const logIn = () => new Promise<LoginAnswer>((resolve) => void owed.push(resolve));
  const presences = new Presences({
    store: open.store,
    bouncer: {
      ...obedientBouncer,
      logins: {
        ...obedientBouncer.logins,
        set: async (_, password) => void offered.push(password === null ? null : password.name),
      },
      attach: async (_account, _channels, events) => {
        setImmediate(() => events.onUpstreamConnected(true));
        return { ...silentSession, login: { account: undefined, logIn } };
      },
    },
    ...{ clock: open.clock, log: pino({ level: 'silent' }), settings: { network: NETWORK } },
  });
  opened.push(presences);
  await presences.goOnline(accountId);
  return presences;
}
