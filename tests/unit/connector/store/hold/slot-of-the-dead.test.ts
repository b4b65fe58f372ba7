import { expect, test } from 'vitest';
import { DEAD_AFTER_MS } from '../../../../../src/connector/store/hold/observation.ts';
import { openKeepers } from '../../../../harness/played-keepers.ts';

const SECOND_MS = 1_000;

test('a process that is only known to have ended on a machine that was started since is left its slot while it lives', async () => {
  const { time, slot, start } = openKeepers();
  await time.pass(
    (async () => {
      const first = await start('first').taken;
      const copy = start('copy', 0, { processId: 'first', isCertain: false });
      await time.sleep(20 * SECOND_MS);
      expect([slot.holder, slot.expelled, first.isTrusted()]).toEqual(['first', [], true]);

      slot.cut.add('first');
      await copy.taken;
      expect(slot.holder).toBe('copy');
    })(),
  );
});

test('after a start of the machine the slot of the run before is taken at once when the database has not heard of it for nine seconds', async () => {
  const { time, slot, start } = openKeepers();
  await time.pass(
    (async () => {
      await start('first').taken;
      slot.cut.add('first');
      await time.sleep(DEAD_AFTER_MS);
      const before = time.now();

      await start('second', 0, { processId: 'first', isCertain: false }).taken;

      expect(time.now() - before).toBeLessThan(SECOND_MS);
      expect(slot.expelled).toEqual(['first', 'first']);
    })(),
  );
});

test('a slot that can’t be taken, and connections that can’t be ended, are reported once each, and the slot is taken in the end', async () => {
  const { time, slot, start, reported } = openKeepers();
  slot.leavesConnections = 'they may not be ended';
  await time.pass(
    (async () => {
      await start('first').taken;
      const second = start('second');
      slot.cut.add('first');
      slot.beforeTaking = async () => {
        throw new Error('a lock was not free');
      };
      await time.sleep(60 * SECOND_MS);
      slot.beforeTaking = async () => undefined;

      await second.taken;

      expect(reported).toEqual(['they may not be ended', 'Error: a lock was not free']);
    })(),
  );
});
