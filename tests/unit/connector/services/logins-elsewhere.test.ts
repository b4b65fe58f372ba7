import pino from 'pino';
import { beforeEach, expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { Network } from '../../../../src/connector/domain/network.ts';
import type { Bouncer } from '../../../../src/connector/ports/bouncer.ts';
import type { Freshness } from '../../../../src/connector/ports/invalidations.ts';
import { Presences } from '../../../../src/connector/presence/presences.ts';
import type { ServiceContext } from '../../../../src/connector/services/context.ts';
import {
  clearNetworkLogin,
  enterNetworkLogin,
  makeLoginCertificate,
  networkLogins,
  tryNetworkLogin,
} from '../../../../src/connector/services/network-login.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { type Door, withDoorsInParts } from '../../../harness/doors.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import type { OpenStore } from '../../../harness/open-store.ts';
import { PlayedLogins } from '../../../harness/played-logins.ts';
import { presenceElsewhere } from '../../../harness/presence-elsewhere.ts';
import { serviceContext } from '../../../harness/use-case-context.ts';

const log = pino({ level: 'silent' });
const shared: Freshness = { alone: () => undefined, sinceBoot: () => 0 };
const HERE: Network = { name: 'main', address: 'ircs://irc.example' };
const RIGHT = 'right password';
const WRONG = 'wrong password';

const test = testWithStore(shared);

let there: ReturnType<OpenStore['beside']>;
let played: PlayedLogins;
let accountId: string;
let serial = 0;

test.beforeAll(async () => {
  there = open.beside(shared);
});

beforeEach(async () => {
  serial += 1;
  accountId = await open.account(`person${serial}`);
  played = new PlayedLogins();
  played.accounts.set('ada-there', RIGHT);
  // Each test has a network whose limit of attempts is its own.
  await open.database('login_attempts').delete();
});

const password = (text: string) => ({ seen: HERE, name: 'ada-there', password: text });

test('a login that is entered, tried and forgotten at another process reaches the network by the one with the session, and its answer is seen there', async () => {
  const holder = holderOf();
  const context = elsewhere(() => holder);
  await holder.presences.goOnline(accountId);

  await context.given(enterNetworkLogin(context, accountId, password(WRONG)));
  expect(await networkLogins(context, accountId)).toMatchObject({
    present: { state: 'refused', name: 'ada-there', words: 'the password is wrong' },
    loggedInAs: null,
  });
  played.accounts.set('ada-there', WRONG);
  const { present } = await networkLogins(context, accountId);
  await context.given(tryNetworkLogin(context, accountId, present?.loginId ?? ''));
  expect(await networkLogins(context, accountId)).toMatchObject({
    present: { state: 'accepted' },
    loggedInAs: 'ada-there',
  });
  expect(await context.given(clearNetworkLogin(context, accountId, present?.loginId ?? ''))).toBe(true);

  expect(await networkLogins(context, accountId)).toMatchObject({ present: undefined });
  expect(played.offered).toEqual([`ada-there ${WRONG}`, `ada-there ${WRONG}`]);
  expect(played.kept).toBeNull();
  await holder.presences.close();
});

test('a certificate is made by the process with the session, for the network that the person has seen and no other', async () => {
  const holder = holderOf();
  const context = elsewhere(() => holder);
  const seen = makeLoginCertificate(context, accountId, { name: 'main', address: 'ircs://elsewhere.example' });
  await expect(seen).rejects.toMatchObject({ code: 'network_changed' });
  await holder.presences.goOnline(accountId);

  await context.given(makeLoginCertificate(context, accountId, HERE));

  expect(await networkLogins(context, accountId)).toMatchObject({
    present: { kind: 'certificate', state: 'waiting', fingerprints: { sha256: 'aa' } },
  });
  await holder.presences.close();
});

test('no order has the password', async () => {
  const holder = holderOf();
  const context = elsewhere(() => holder);
  await holder.presences.goOnline(accountId);
  const entered = enterNetworkLogin(context, accountId, password(RIGHT));
  let stored: unknown[] = [];
  await waitFor('the order is stored', async () => {
    stored = await open.database('orders').where('account_id', accountId);
    return stored.length > 0;
  });

  expect(JSON.stringify(stored)).not.toMatch(/password|ada-there/);
  await context.given(entered);
  await holder.presences.close();
});

test('three of six attempts at two processes at once are made, and the others are refused with a time to wait', async () => {
  const holder = holderOf();
  const [here, context] = [serviceContext(open, { network: HERE }), elsewhere(() => holder)];
  const take = (n: number) => (n % 2 === 0 ? here : context).store.loginAttempts.take(accountId, HERE.name);

  const answers = await Promise.all([0, 1, 2, 3, 4, 5].map(take));

  expect(answers.filter((refused) => refused === undefined)).toHaveLength(3);
  expect(answers.find((refused) => refused !== undefined)).toMatchObject({ limit: 'person' });
  await expect(enterNetworkLogin(context, accountId, password(RIGHT))).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: expect.any(Number),
  });
  expect(await networkLogins(context, accountId)).toMatchObject({ present: undefined });
});

test('a holder that is killed at any await of a login leaves it to the next one, which sends no password a second time', async () => {
  const doors: string[] = [];
  for (let at = 0; at === 0 || at < doors.length; at += 1) {
    serial += 1;
    accountId = await open.account(`person${serial}`);
    await open.database('login_attempts').delete();
    played = new PlayedLogins();
    played.accounts.set('ada-there', RIGHT);
    const first = holderOf();
    let holder = first;
    const context = elsewhere(() => holder);
    await first.presences.goOnline(accountId);
    let passed = 0;
    first.knock = async ({ call, side }) => {
      if (at === 0) doors.push(`${call} ${side}`);
      else if (passed === at) {
        first.isKilled = true;
        // Its session ends with it, and the network forgets who was logged in by it.
        played.account = undefined;
        holder = holderOf();
        await open.database('orders').update({ taken_by: 'run_dead' }).whereNotNull('taken_by');
      }
      passed += 1;
    };

    await context.given(enterNetworkLogin(context, accountId, password(WRONG)));

    const { present } = await networkLogins(context, accountId);
    expect([`${doors[at]}: ${present?.state}`]).toEqual([expect.stringMatching(/: (waiting|trying|refused)$/)]);
    expect(played.offered.length, `${doors[at]}`).toBeLessThanOrEqual(1);
    if (!first.isKilled) await first.presences.close();
    if (holder !== first) await holder.presences.close();
  }
  expect(doors.length).toBeGreaterThan(5);
});

/** A process that holds the accounts. */
function holderOf(): Holder {
  const keeper = {
    knock: async (door: Door): Promise<void> => {
      await holder.knock(door);
      if (holder.isKilled) await new Promise<never>(() => undefined);
    },
    during: <T>(work: Promise<T>): Promise<T> => work,
  };
  const presences = new Presences({
    store: withDoorsInParts(open.anew(open.clock), keeper),
    bouncer: bouncer(),
    ...{ clock: open.clock, log, settings: { network: HERE }, freshness: shared },
  });
  const holder: Holder = { presences, knock: async () => undefined, isKilled: false };
  return holder;
}

/** The use cases of a process without sessions; the holder takes what it asks. */
function elsewhere(holder: () => Holder): ServiceContext & { given<T>(work: Promise<T>): Promise<T> } {
  const { store } = there;
  const { invalidations, clock } = open;
  const presence = presenceElsewhere({ store, invalidations, clock, freshness: shared });
  return {
    ...serviceContext(open, { network: HERE }),
    ...{ store, presence },
    given: async (work) => {
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      work.then(over, over);
      await waitFor('it has an outcome', async () => {
        // That of a killed one never ends.
        void holder().presences.takeOrders();
        invalidations.invalidate('orders', accountId);
        return isOver;
      });
      return work;
    },
  };
}

/** The bouncer, with a session that sends logins to the network itself. */
function bouncer(): Bouncer {
  const login = {
    get account() {
      return played.account;
    },
    logIn: async (password: { name: string; password: string }) => played.offer(password),
  };
  return { ...obedientBouncer, logins: played, attach: async () => ({ ...silentSession, login }) };
}

interface Holder {
  presences: Presences;
  knock: (door: Door) => Promise<void>;
  isKilled: boolean;
}
