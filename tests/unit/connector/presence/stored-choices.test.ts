import pino from 'pino';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { Store } from '../../../../src/connector/ports/store.ts';
import type { AccountPresence } from '../../../../src/connector/presence/account-presence.ts';
import { Presences } from '../../../../src/connector/presence/presences.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { World } from '../../../harness/interleavings/world.ts';
import { openStore } from '../../../harness/open-store.ts';
import { VirtualTime } from '../../../harness/virtual-time.ts';

const MINUTE_MS = 60_000;
const FAILURES = 10;
/** Longest first wait of a retry, and the time of the requests to the network. */
const FIRST_WAIT_MAX_MS = 1_000;
/** More calls than may wait for the turn of an account. */
const TOO_MANY = 1_100;

test('nicks that could not be followed while the account was offline delay no later one', async () => {
  await using open = await openStore();
  using time = new VirtualTime();

  const followedMs = await time.pass(
    (async () => {
      await using world = await World.begin(open, time, 'ada');
      const changeInVain = async (): Promise<void> => {
        world.isDatabaseAway = true;
        await world.presence.choices.nickChanged();
        world.isDatabaseAway = false;
      };
      for (let failure = 0; failure < FAILURES; failure += 1) {
        await changeInVain();
        await time.sleep(MINUTE_MS);
      }
      await world.presence.goOnline();
      await time.during(world.program.store.accounts.rename(world.accountId, 'lovelace'));
      const changing = changeInVain();
      const beganMs = time.now();
      await time.until('the account has the nick', () => world.bouncer.nick === 'lovelace');
      const tookMs = time.now() - beganMs;
      await changing;
      return tookMs;
    })(),
  );

  expect(followedMs).toBeLessThanOrEqual(FIRST_WAIT_MAX_MS);
});

interface Choice {
  what: string;
  choose: (store: Store, accountId: string, value: string) => Promise<unknown>;
  follow: (presence: AccountPresence) => Promise<unknown>;
  values: [string, string];
}

const CHOICES: Choice[] = [
  {
    what: 'a choice of channels',
    choose: (store, accountId, channel) => store.accounts.selectChannels(accountId, [channel]),
    follow: (presence) => presence.choices.channelsChanged(),
    values: ['#Ops', '#room'],
  },
  {
    what: 'a choice of a nick',
    choose: (store, accountId, nick) => store.accounts.rename(accountId, nick),
    follow: (presence) => presence.choices.nickChanged(),
    values: ['lovelace', 'countess'],
  },
];

test.each(CHOICES)(
  '$what that is made while an earlier one is followed and too many calls wait is followed in the end',
  async ({ choose, follow, values }) => {
    await using open = await openStore();
    const { clock } = open;
    const accountId = await open.account('ada', ['#room', '#Ops']);
    const [earlier, last] = values;
    const held = Promise.withResolvers<void>();
    let [isToHold, isHeld] = [false, false];
    const { accounts } = open.store;
    const bouncerUser: typeof accounts.bouncerUser = async (id) => {
      isHeld = isToHold;
      if (isToHold) await held.promise;
      return accounts.bouncerUser(id);
    };
    const store = { ...open.store, accounts: { ...accounts, bouncerUser } };
    let [nick, channels]: [string, readonly string[]] = ['ada', []];
    const session = {
      ...silentSession,
      joinedChannels: ['#room', '#Ops'],
      get nick() {
        return nick;
      },
      changeNick: (asked: string) => {
        nick = asked;
      },
    };
    const bouncer = {
      ...obedientBouncer,
      attach: async () => session,
      setChannels: async (_user: unknown, asked: readonly string[]) => {
        channels = asked;
      },
    };
    const log = pino({ level: 'silent' });
    const presences = new Presences({ ...{ store, bouncer, clock, log }, settings: { network: { name: 'main' } } });
    const presence = presences.of(accountId);
    try {
      await presence.goOnline();
      isToHold = true;
      await choose(store, accountId, earlier);
      const following = follow(presence);
      await waitFor('the earlier choice is read', () => isHeld);
      await choose(store, accountId, last);
      const elsewhere = { name: 'other', address: '' };
      const makeCertificate = () => presence.choices.makeCertificate(elsewhere).catch(() => undefined);
      const calls = Array.from({ length: TOO_MANY }, makeCertificate);
      const refused = follow(presence);
      isToHold = false;
      held.resolve();
      await Promise.all([following, refused, ...calls]);

      await waitFor('the last choice has arrived', () => nick === last || channels.join() === last);
    } finally {
      await presences.close();
    }
  },
);
