import { expect, test } from 'vitest';
import { openKeepers } from '../../../../harness/played-keepers.ts';

const SECOND_MS = 1_000;
const GIVEN = [3, 4, 5];

test('the accounts of a process that was killed go on at another one as soon as its next run has begun, which knows that it has ended', async () => {
  expect(await secondsUntilTaken(true)).toBeLessThanOrEqual(4);
});

test('a run of before another start of the machine has its accounts until it counts as dead, because it may run elsewhere', async () => {
  const seconds = await secondsUntilTaken(false);
  expect(seconds).toBeGreaterThan(5);
  expect(seconds).toBeLessThanOrEqual(13);
});

test('the accounts of a run that has ended stay with it while its connections at the server have not, and go on after that', async () => {
  const seconds = await secondsUntilTaken(true, ({ time, slot }) => {
    slot.keepsConnections = true;
    void time.sleep(5 * SECOND_MS).then(() => {
      slot.keepsConnections = false;
    });
  });
  expect(seconds).toBeGreaterThan(2);
  expect(seconds).toBeLessThanOrEqual(6);
});

test('where the database does not let a process end the connections of the run before, its accounts go on when it counts as dead', async () => {
  const seconds = await secondsUntilTaken(true, ({ slot }) => {
    slot.leavesConnections = 'another role has opened them';
  });
  expect(seconds).toBeGreaterThan(5);
  expect(seconds).toBeLessThanOrEqual(13);
});

/**
 * A process with three account slots is killed, and started again two seconds later; other processes go on.
 * @param change called when it was killed
 * @returns seconds from its new start until another process has its account slots
 */
async function secondsUntilTaken(
  isCertain: boolean,
  change: (opened: ReturnType<typeof openKeepers>) => void = () => undefined,
): Promise<number> {
  const opened = openKeepers();
  const { time, slot, start } = opened;
  let startedAt = 0;
  let takenAt = 0;
  await time.pass(
    (async () => {
      const holder = start('holder');
      await holder.taken;
      holder.company.schemaIsCurrent();
      const worker = start('worker');
      worker.taken.catch(() => undefined);
      worker.company.read();
      await worker.company.begins;
      await worker.accounts.accept();
      await time.until('it is seen', () => holder.accounts.shares.length === 2);
      for (const each of GIVEN) expect(await holder.accounts.give(each, 'worker')).toBe(true);
      worker.lookNow();
      await time.until('it has them', () => worker.accounts.own.size === GIVEN.length);

      slot.cut.add('worker');
      change(opened);
      await time.sleep(2 * SECOND_MS);
      startedAt = time.now();
      const next = start('next', 0, { processId: 'worker', isCertain });
      next.taken.catch(() => undefined);
      next.company.read();
      await time.until('the slots are taken', () => GIVEN.every((each) => holder.accounts.own.has(each)));
      takenAt = time.now();
    })(),
  );
  return (takenAt - startedAt) / SECOND_MS;
}
