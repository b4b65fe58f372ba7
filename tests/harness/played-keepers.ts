import { onTestFinished } from 'vitest';
import type { Ended } from '../../src/connector/store/hold/membership.ts';
import { SlotKeeper } from '../../src/connector/store/hold/slot-keeper.ts';
import { PlayedSlot } from './played-slot.ts';
import { VirtualTime } from './virtual-time.ts';

/** Two or more processes on one database, in time that passes at once. */
export function openKeepers() {
  const time = new VirtualTime();
  const database = { aheadMs: 0 };
  const slot = new PlayedSlot(() => time.now() + database.aheadMs);
  const keepers: SlotKeeper[] = [];
  const told: number[] = [];
  const reported: string[] = [];
  const machine = { suspendedMs: 0 };
  onTestFinished(async () => {
    await time.pass(Promise.all(keepers.map((keeper) => keeper.release().catch(() => undefined))));
    time[Symbol.dispose]();
  });
  return {
    time,
    told,
    machine,
    database,
    slot,
    reported,
    /** @param aheadMs of its clock, which may be set while it runs */
    start: (processId: string, aheadMs: number | (() => number) = 0, ended?: Ended) => {
      const shift = typeof aheadMs === 'number' ? () => aheadMs : aheadMs;
      const clock = { now: () => time.now() + machine.suspendedMs + shift(), monotonic: () => time.now() };
      const keeper = new SlotKeeper({
        membership: slot.membership(processId),
        clock,
        sinceBoot: () => time.now() + machine.suspendedMs,
        ended,
        failed: () => undefined,
        waitsForOlder: ({ processes }) => reported.push(`waits for ${processes.map(({ name }) => name).join(', ')}`),
        takingFailed: (error) => reported.push(String(error)),
        connectionsLeft: (reason) => reported.push(reason),
        clockIsOff: (ms) => told.push(ms),
      });
      keepers.push(keeper);
      return keeper;
    },
  };
}
