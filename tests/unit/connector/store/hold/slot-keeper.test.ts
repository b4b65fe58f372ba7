import { expect, test } from 'vitest';
import type { Hold } from '../../../../../src/connector/ports/hold.ts';
import { TRUST_MS } from '../../../../../src/connector/store/hold/observation.ts';
import type { SlotKeeper } from '../../../../../src/connector/store/hold/slot-keeper.ts';
import { openKeepers as open } from '../../../../harness/played-keepers.ts';
import type { VirtualTime } from '../../../../harness/virtual-time.ts';

const ROUNDS = 20;
const SECOND_MS = 1_000;

test('the first process has the slot at once, the second waits until the first one gives it back, and the first is not reported as dead', async () => {
  const { time, start } = open();
  await time.pass(
    (async () => {
      const first = await start('first').taken;
      expect(first).toMatchObject({ fence: { processId: 'first', fence: 1 } });
      const second = start('second');
      await time.sleep(60 * SECOND_MS);
      expect(first.isTrusted()).toBe(true);
      expect(second.holder).toMatchObject({ processId: 'first' });

      await first.release();

      expect(await second.taken).toMatchObject({ fence: { processId: 'second', fence: 2 } });
    })(),
  );
});

test('the slot of a process that is cut off moves within thirteen seconds, and no sooner than it has stopped to trust itself', async () => {
  const { time, slot, start } = open();
  await time.pass(
    (async () => {
      const took: number[] = [];
      let first = await start('0').taken;
      for (let round = 1; round <= ROUNDS; round += 1) {
        const second = start(`${round}`);
        await second.seen();
        await time.sleep(10 * SECOND_MS + 97 * round);
        const cutAt = time.now();
        slot.cut.add(first.fence.processId);
        const taken = await untilTaken(time, first, second);
        took.push(time.now() - cutAt);
        expect(slot.expelled.slice(-2)).toEqual([first.fence.processId, first.fence.processId]);
        first = taken;
      }
      expect(Math.max(...took)).toBeLessThanOrEqual(13 * SECOND_MS);
      expect(Math.min(...took)).toBeGreaterThanOrEqual(TRUST_MS);
      expect(first.fence.fence).toBe(ROUNDS + 1);
    })(),
  );
});

test('a process that was cut off for a short time goes on with its slot; one that comes back too late learns that it has lost it', async () => {
  const { time, slot, start } = open();
  await time.pass(
    (async () => {
      const first = await start('first').taken;
      const second = start('second');
      let isLost = false;
      first.onLost(() => {
        isLost = true;
      });
      slot.cut.add('first');
      await time.sleep(8.5 * SECOND_MS);
      expect(first.isTrusted()).toBe(false);
      slot.cut.delete('first');
      await time.until('it is trusted again', () => first.isTrusted());
      expect(isLost).toBe(false);

      slot.cut.add('first');
      await untilTaken(time, first, second);
      slot.cut.delete('first');

      await time.until('it knows', () => isLost);
      expect(first.isTrusted()).toBe(false);
      expect(slot.holder).toBe('second');
    })(),
  );
});

test('work that depends on the trust is stopped in the moment in which the trust ends', async () => {
  const { time, slot, start } = open();
  await time.pass(
    (async () => {
      const keeper = start('first');
      const first = await keeper.taken;
      await keeper.seen();
      const sentAt = time.now();
      slot.cut.add('first');
      const doubted = Promise.withResolvers<number>();
      first.onDoubt(() => doubted.resolve(time.now()));

      expect((await doubted.promise) - sentAt).toBeLessThanOrEqual(TRUST_MS + 10);
      expect(first.isTrusted()).toBe(false);
    })(),
  );
});

test('a process that ends when the clock of the database is set back counts as dead after as long as any other', async () => {
  const { time, database, slot, start } = open();
  await time.pass(
    (async () => {
      await start('first').taken;
      const second = start('second');
      await second.seen();
      slot.cut.add('first');
      // This is less than the step at which the second one would hold no slot.
      database.aheadMs -= 25 * SECOND_MS;
      const cutAt = time.now();

      await second.taken;

      expect(time.now() - cutAt).toBeGreaterThanOrEqual(7 * SECOND_MS);
      expect(time.now() - cutAt).toBeLessThanOrEqual(13 * SECOND_MS);
    })(),
  );
});

test('a database whose clock jumps ahead, or that has lost the newest heartbeats, makes no process dead', async () => {
  const { time, database, slot, start } = open();
  await time.pass(
    (async () => {
      const first = await start('first').taken;
      const second = start('second');
      await second.seen();
      for (const jumpMs of [20 * SECOND_MS, -15 * SECOND_MS]) {
        database.aheadMs += jumpMs;
        await time.sleep(20 * SECOND_MS);
        expect(slot.holder).toBe('first');
        slot.loseSince(time.now() + database.aheadMs - 6 * SECOND_MS);
        await time.sleep(20 * SECOND_MS);
        expect(slot.holder).toBe('first');
      }
      expect(first.isTrusted()).toBe(true);
    })(),
  );
});

test('a restored backup in which the number is the same again does not make a process a holder that it is not', async () => {
  const { time, slot, start } = open();
  await time.pass(
    (async () => {
      const first = await start('first').taken;
      let isLost = false;
      first.onLost(() => {
        isLost = true;
      });
      slot.holder = 'of the backup';

      await time.until('it has lost', () => isLost);
      expect(slot.fence).toBe(first.fence.fence);
      expect(first.isTrusted()).toBe(false);
    })(),
  );
});

test('a taking whose answer was lost is found by the next heartbeat', async () => {
  const { time, slot, start } = open();
  await time.pass(
    (async () => {
      slot.losesNextAnswer = true;

      const hold = await start('first').taken;

      expect(hold.fence).toEqual({ processId: 'first', fence: 1 });
      expect(hold.isTrusted()).toBe(true);
    })(),
  );
});

test('a process whose connection has ended trusts no earlier answer until its next heartbeat is answered', async () => {
  const { time, start } = open();
  await time.pass(
    (async () => {
      const keeper = start('first');
      const first = await keeper.taken;

      keeper.connectionEnded();
      expect(first.isTrusted()).toBe(false);

      await time.until('it is trusted again', () => first.isTrusted());
    })(),
  );
});

test.each([-120, -31, 31, 120])(
  'a process whose clock is %i s off takes no slot, and gives up the one it holds',
  async (seconds) => {
    const { time, told, database, slot, start } = open();
    await time.pass(
      (async () => {
        const keeper = start('first', seconds * SECOND_MS);
        await time.sleep(30 * SECOND_MS);
        expect(slot.holder).toBeUndefined();
        expect(Math.round(keeper.clockOffMs / SECOND_MS)).toBe(seconds);
        expect(told).toHaveLength(1);

        const second = await start('second').taken;
        let why = '';
        second.onLost((reason) => {
          why = reason;
        });
        database.aheadMs = seconds * SECOND_MS;
        await time.until('it gives up', () => why !== '');
        // The process's clock is right, and the database's is off.
        expect(why).toBe(
          `the clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'behind' : 'ahead of'} the database’s, so this process has given the database up`,
        );
        expect(second.isTrusted()).toBe(false);
      })(),
    );
  },
);

test.each(['before a heartbeat', 'while a heartbeat is under way'])(
  'after the machine was suspended %s the process trusts no earlier answer until it has asked again, and is at once asking',
  async (moment) => {
    const { time, machine, database, slot, start } = open();
    const suspend = (ms: number): void => {
      machine.suspendedMs += ms;
      database.aheadMs += ms;
    };
    await time.pass(
      (async () => {
        const keeper = start('first');
        const first = await keeper.taken;
        let doubts = 0;
        first.onDoubt(() => {
          doubts += 1;
        });
        await time.sleep(3 * SECOND_MS);
        if (moment !== 'before a heartbeat') {
          const answer = slot.holdAnswers();
          await time.sleep(2 * SECOND_MS);
          suspend(60 * SECOND_MS);
          answer();
          await time.sleep(1);
          expect(doubts).toBeGreaterThan(0);
        } else suspend(60 * SECOND_MS);

        expect(first.isTrusted()).toBe(false);
        expect(doubts).toBeGreaterThan(0);
        const asked = time.now();
        await time.until('it is trusted again', () => first.isTrusted());
        expect(time.now() - asked).toBeLessThan(1.5 * SECOND_MS);
      })(),
    );
  },
);

test('two processes that were suspended together do not take each other for dead', async () => {
  const { time, machine, database, slot, start } = open();
  await time.pass(
    (async () => {
      const first = await start('first').taken;
      const second = start('second');
      await time.sleep(20 * SECOND_MS);
      slot.cut.add('first');
      machine.suspendedMs += 60 * SECOND_MS;
      database.aheadMs += 60 * SECOND_MS;
      await second.seen();
      await time.sleep(3 * SECOND_MS);
      slot.cut.delete('first');

      await time.until('it is trusted again', () => first.isTrusted());
      expect(slot.holder).toBe('first');
    })(),
  );
});

test('a process that seemed dead and lives is not cut off when it gives the slot back in order later', async () => {
  const { time, slot, start } = open();
  await time.pass(
    (async () => {
      const first = await start('first').taken;
      const second = start('second');
      slot.cut.add('first');
      slot.beforeTaking = async () => slot.hear('first');
      await time.until('the second one tries to take it', () => slot.expelled.length > 0);
      slot.cut.delete('first');
      slot.beforeTaking = async () => undefined;
      await time.until('the first one is trusted again', () => first.isTrusted());
      expect(slot.expelled).toEqual(['first']);

      await first.release();
      await second.taken;

      expect(slot.expelled).toEqual(['first']);
    })(),
  );
});

test('a process that had to wait for the slot until its own heartbeat is old begins with a new one', async () => {
  const { time, slot, start } = open();
  await time.pass(
    (async () => {
      slot.beforeTaking = () => time.sleep(TRUST_MS + SECOND_MS);

      const hold = await start('first').taken;

      expect(hold.isTrusted()).toBe(true);
      await time.sleep(SECOND_MS);
      expect(hold.isTrusted()).toBe(true);
    })(),
  );
});

test('others learn within a second that the clock of a process that has just started is wrong', async () => {
  const { time, slot, start } = open();
  await time.pass(
    (async () => {
      await start('first').taken;
      const second = start('second', 60 * SECOND_MS);
      await second.seen();

      await time.sleep(SECOND_MS);

      expect(Math.round((slot.clocks.get('second') ?? 0) / SECOND_MS)).toBe(60);
    })(),
  );
});

test('a process that is cut off says that it may be replaced before another one can serve, and only where one waits', async () => {
  const { time, slot, start } = open();
  await time.pass(
    (async () => {
      const alone = start('first');
      const first = await alone.taken;
      slot.cut.add('first');
      await time.sleep(60 * SECOND_MS);
      expect([first.isTrusted(), alone.mayBeReplaced]).toEqual([false, false]);
      slot.cut.delete('first');

      const second = start('second');
      await time.until('the first one knows of it and is trusted', () => first.isTrusted());
      await time.sleep(5 * SECOND_MS);
      expect(alone.mayBeReplaced).toBe(false);
      slot.cut.add('first');
      await time.sleep(7 * SECOND_MS);
      // It may still come back in time.
      expect(alone.mayBeReplaced).toBe(false);
      await untilTaken(time, first, second);
      expect([alone.mayBeReplaced, second.mayBeReplaced]).toEqual([true, false]);
    })(),
  );
});

test('a clock that is off by just as much as is allowed makes a process not ready once, and not at each look', async () => {
  const { time, told, database, start } = open();
  await time.pass(
    (async () => {
      const keeper = start('first');
      await keeper.taken;
      const ready: boolean[] = [];
      for (let look = 0; look < 100; look += 1) {
        database.aheadMs = 5_000 + (look % 2 === 0 ? 20 : -20);
        await keeper.seen();
        ready.push(!keeper.isClockOff);
      }
      expect(told).toHaveLength(1);
      expect(ready.slice(1)).toEqual(Array(99).fill(false));

      database.aheadMs = 4_000;
      await keeper.seen();
      await time.sleep(1);
      expect(keeper.isClockOff).toBe(false);
    })(),
  );
});

/** Watches two holds at each moment: never may both be trusted. */
async function untilTaken(time: VirtualTime, first: Hold, second: SlotKeeper): Promise<Hold> {
  let taken: Hold | undefined;
  void second.taken.then((hold) => {
    taken = hold;
  });
  await time.until('the second one has the slot', () => {
    if (taken?.isTrusted() === true) expect(first.isTrusted()).toBe(false);
    return taken !== undefined;
  });
  if (taken === undefined) throw new Error('not taken');
  return taken;
}
