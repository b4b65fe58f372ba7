import pino from 'pino';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { Bouncer } from '../../../../src/connector/ports/bouncer.ts';
import { Presences } from '../../../../src/connector/presence/presences.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { withDoorsInParts } from '../../../harness/doors.ts';
import { openStore } from '../../../harness/open-store.ts';
import { VirtualTime } from '../../../harness/virtual-time.ts';

const ACCOUNTS = 60;
const ATTACH_MS = 1_000;
const ATTACHES_AT_ONCE = 20;
/** The first twenty of sixty come within a third of 1.8 s, if they come by chance. */
const SPREAD_MIN_MS = 150;

test('after a start all accounts that were online attach, spread out and at most twenty at once', async () => {
  await using open = await openStore();
  using time = new VirtualTime();
  const { bouncer, told } = countingBouncer(time);
  for (let n = 0; n < ACCOUNTS; n += 1) {
    await open.store.accounts.setOnline(await open.account(`person${n}`), 1);
  }
  const sessions = new Presences({
    store: withDoorsInParts(open.store, { knock: async () => undefined, during: (work) => time.during(work) }),
    bouncer,
    clock: open.clock,
    log: pino({ level: 'silent' }),
    settings: { network: { name: 'main' } },
  });

  await sessions.gain('all', { isShared: false });
  await time.pass(time.until('all are attached', () => told.attached === ACCOUNTS));

  expect(sessions.levels()).toMatchObject({ sessionsOnline: ACCOUNTS, sessionsWanted: ACCOUNTS });
  expect(told.most).toBe(ATTACHES_AT_ONCE);
  const [first = 0, ...others] = told.beganAt;
  expect((others[ATTACHES_AT_ONCE - 2] ?? 0) - first).toBeGreaterThan(SPREAD_MIN_MS);
  await time.pass(sessions.close());
});

test('after a takeover at most twenty accounts get new passwords and attach at once, so that the bouncer answers each in time', async () => {
  await using open = await openStore();
  using time = new VirtualTime();
  const { bouncer, told } = countingBouncer(time);
  const busy = { now: 0, most: 0, done: 0 };
  const attach: Bouncer['attach'] = async (...given) => {
    busy.most = Math.max(busy.most, busy.now + told.attaching + 1);
    return bouncer.attach(...given);
  };
  const expelOthers: Bouncer['expelOthers'] = async () => {
    busy.now += 1;
    busy.most = Math.max(busy.most, busy.now + told.attaching);
    await time.sleep(ATTACH_MS);
    busy.now -= 1;
    busy.done += 1;
  };
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const accountId = await open.account(`person${n}`);
    await open.store.accounts.setOnline(accountId, 1);
    await open.database('owed_passwords').insert({ account_id: accountId });
  }
  const sessions = new Presences({
    store: withDoorsInParts(open.store, { knock: async () => undefined, during: (work) => time.during(work) }),
    bouncer: { ...bouncer, attach, expelOthers },
    clock: open.clock,
    log: pino({ level: 'silent' }),
    settings: { network: { name: 'main' } },
  });

  await time.pass(sessions.gain('all', { isShared: false }));
  await time.pass(time.until('all are attached', () => told.attached === ACCOUNTS));

  expect(busy).toEqual({ now: 0, most: ATTACHES_AT_ONCE, done: ACCOUNTS });
  await time.pass(sessions.close());
});

test('an account that was not requested is not put online when the sessions have ended', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada');
  let attached = 0;
  const attach: Bouncer['attach'] = async () => {
    attached += 1;
    return silentSession;
  };
  const presences = new Presences({
    ...{
      store: open.store,
      bouncer: { ...obedientBouncer, attach },
      clock: open.clock,
      log: pino({ level: 'silent' }),
    },
    settings: { network: { name: 'main' } },
  });
  await presences.close();

  await expect(presences.goOnline(accountId)).rejects.toMatchObject({ code: 'account_busy' });

  expect(attached).toBe(0);
  expect((await open.store.accounts.find(accountId))?.isOnline).toBe(false);
});

test('an account for which a dead process has said something lately has a new password in the bouncer before it attaches, also when that takes several runs of the program', async () => {
  await using open = await openStore();
  const { accounts } = open.store;
  const accountId = await open.account('ada');
  await accounts.setOnline(accountId, 1);
  await open.database('owed_passwords').insert({ account_id: accountId });
  const passwords = new Set([(await accounts.bouncerUser(accountId)).password]);
  const done: string[] = [];
  let isAway = true;
  const bouncer: Bouncer = {
    ...obedientBouncer,
    expelOthers: async ({ password }) => {
      passwords.add(password);
      done.push(isAway ? 'refused' : 'expelled');
      if (isAway) throw new Error('the bouncer is away');
    },
    attach: async ({ user }) => {
      expect(user.password).toBe([...passwords].at(-1));
      done.push('attached');
      return silentSession;
    },
  };
  const run = async (): Promise<Presences> => {
    const presences = new Presences({
      ...{ store: open.store, bouncer, clock: open.clock, log: pino({ level: 'silent' }) },
      settings: { network: { name: 'main' } },
    });
    await presences.gain('all', { isShared: false });
    return presences;
  };

  const first = await run();
  await expect(first.goOnline(accountId)).rejects.toThrow('the bouncer is away');
  await first.close();
  expect(new Set(done)).toEqual(new Set(['refused']));
  expect(await accounts.owedPasswords()).toEqual([accountId]);

  isAway = false;
  done.length = 0;
  const second = await run();
  await waitFor('it is attached', () => second.levels().sessionsOnline === 1);

  expect(done).toEqual(['expelled', 'attached']);
  expect(passwords.size).toBe(3);
  expect(await accounts.owedPasswords()).toEqual([]);
  await second.close();
});

test('an attempt that is called off while it waits for its place is not logged as a connection', async () => {
  await using open = await openStore();
  const [ada, eve, kim] = [await open.account('ada'), await open.account('eve'), await open.account('kim')];
  for (const accountId of [ada, eve, kim]) await open.store.accounts.setOnline(accountId, 1);
  const logged: { msg: string; account: string }[] = [];
  const connected = (): string[] =>
    logged.filter(({ msg }) => msg.startsWith('connected')).map(({ account }) => account);
  const held = Promise.withResolvers<void>();
  let attaching = 0;
  const sessions = new Presences({
    bouncer: {
      ...obedientBouncer,
      attach: async () => {
        attaching += 1;
        await held.promise;
        return silentSession;
      },
    },
    ...{ store: open.store, clock: open.clock, settings: { network: { name: 'main' } } },
    log: pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    // One attaches at once.
    processes: () => ATTACHES_AT_ONCE,
  });
  sessions.of(ada).resume(0);
  await waitFor('the first attaches', () => attaching === 1);
  sessions.of(eve).resume(0);
  await waitFor('the second is to be connected', () => sessions.levels().sessionsWanted === 2);
  await new Promise((resolve) => setTimeout(resolve, 0));
  await sessions.goOffline(eve);
  sessions.of(kim).resume(0);

  held.resolve();
  await waitFor('the third is connected', () => connected().includes(kim));

  expect(connected()).toEqual([ada, kim]);
  await sessions.close();
});

/** Stands for soju, slower than the spread, so that the limit shows: counts how many attach at once. */
function countingBouncer(time: VirtualTime) {
  const told = { attaching: 0, most: 0, attached: 0, beganAt: [] as number[] };
  const bouncer: Bouncer = {
    ...obedientBouncer,
    attach: async () => {
      told.attaching += 1;
      told.beganAt.push(time.now());
      told.most = Math.max(told.most, told.attaching);
      await time.sleep(ATTACH_MS);
      told.attaching -= 1;
      told.attached += 1;
      return silentSession;
    },
  };
  return { bouncer, told };
}
