import pino from 'pino';
import { expect, test } from 'vitest';
import type { Bouncer } from '../../../../src/connector/ports/bouncer.ts';
import { Presences } from '../../../../src/connector/presence/presences.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { withDoorsInParts } from '../../../harness/doors.ts';
import { openStore } from '../../../harness/open-store.ts';
import { VirtualTime } from '../../../harness/virtual-time.ts';

const ACCOUNTS = 12;
const SECOND_MS = 1_000;
/** Much longer than twelve accounts need, and much shorter than the waits after a long absence: 15 to 30 s. */
const TOGETHER_MS = 2 * SECOND_MS;
const ABSENCES = [60 * SECOND_MS, 20 * SECOND_MS, 120 * SECOND_MS];

test.each(ABSENCES)(
  'when the bouncer is back after %d ms, all accounts attach soon after the first one has, however long they would wait',
  async (absenceMs) => {
    let isAway = true;
    let [attempts, attached] = [0, 0];
    const attach = (): void => {
      attempts += 1;
      if (isAway) throw new Error('connection refused');
      attached += 1;
    };
    await play(attach, async (time) => {
      await time.sleep(absenceMs);
      const before = attempts;
      isAway = false;
      await time.until('the first one is attached', () => attached > 0);
      const firstAt = time.now();
      await time.until('all are attached', () => attached === ACCOUNTS);

      expect(time.now() - firstAt).toBeLessThanOrEqual(TOGETHER_MS);
      expect(attempts - before).toBe(ACCOUNTS);
    });
  },
);

test('an account that the bouncer refuses is tried no more often because others attach', async () => {
  const refused = { user: '', attempts: 0 };
  let attached = 0;
  await play(
    (user) => {
      if (refused.user === '') refused.user = user;
      if (user !== refused.user) {
        attached += 1;
        return;
      }
      refused.attempts += 1;
      throw new Error('wrong password');
    },
    async (time) => {
      await time.until('the others are attached', () => attached === ACCOUNTS - 1);
      await time.sleep(60 * SECOND_MS);

      // Its own attempts after 0.5, 1, 2, 4, 8, 16 and 30 s, by half of that at least, and one after the others.
      expect(refused.attempts).toBeLessThanOrEqual(10);
    },
  );
});

test.each([5, 20, 60])(
  'when the bouncer goes away again for %d s before all have attached, the second return brings all back as soon as the first one does',
  async (absenceSeconds) => {
    let isAway = true;
    let attached = 0;
    const attach = (): void => {
      if (isAway) throw new Error('connection refused');
      attached += 1;
      // It ends again at once: all others that try now fail.
      if (attached === 1) isAway = true;
    };
    await play(attach, async (time) => {
      await time.sleep(60 * SECOND_MS);
      isAway = false;
      await time.until('the first one is attached', () => attached === 1);
      await time.sleep(absenceSeconds * SECOND_MS);
      isAway = false;
      await time.until('a second one is attached', () => attached >= 2);
      const secondAt = time.now();
      await time.until('all are attached', () => attached === ACCOUNTS);

      expect(time.now() - secondAt).toBeLessThanOrEqual(TOGETHER_MS);
    });
  },
);

/** Plays accounts that are to be online with a bouncer that decides about each attempt. */
async function play(
  attach: (user: string) => void,
  work: (time: VirtualTime, users: readonly string[]) => Promise<void>,
): Promise<void> {
  await using open = await openStore();
  using time = new VirtualTime();
  const users: string[] = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const accountId = await open.account(`person${n}`);
    await open.store.accounts.setOnline(accountId, 1);
    users.push((await open.store.accounts.bouncerUser(accountId)).name);
  }
  const bouncer: Bouncer = {
    ...obedientBouncer,
    attach: async ({ user }) => {
      attach(user.name);
      return silentSession;
    },
  };
  const presences = new Presences({
    store: withDoorsInParts(open.store, { knock: async () => undefined, during: (each) => time.during(each) }),
    bouncer,
    clock: open.clock,
    log: pino({ level: 'silent' }),
    settings: { network: { name: 'main' } },
  });
  await presences.gain('all', { isShared: false });
  await time.pass(work(time, users));
  await time.pass(presences.close());
}
