import { expect, test } from 'vitest';
import { World } from '../../../harness/interleavings/world.ts';
import { openStore } from '../../../harness/open-store.ts';
import { VirtualTime } from '../../../harness/virtual-time.ts';

const MINUTE_MS = 60_000;
const FAILURES = 10;
/** Longest first wait of a retry, and the time of the requests to the network. */
const FIRST_WAIT_MAX_MS = 1_000;

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
