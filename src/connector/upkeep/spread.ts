import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../kernel/log.ts';
import { pause } from '../pause.ts';
import { type Repeated, repeat } from './repeat.ts';

/** Interval of looks whether another process acts for fewer accounts. */
const INTERVAL_MS = 2_000;
/** Least pause between two slots that are handed over, */
const PACE_MS = 250;
/** and pause for each account of the slot: the bouncer spends that time of a processor on each password. */
const PACE_MS_PER_ACCOUNT = 60;
/** Most slots that are tried in one pass: each may have work that does not end in time. */
const TRIED_AT_ONCE = 8;
/** Longest wait for the heartbeat that shows what has been handed over. */
const SEEN_MS = 5_000;
/** Interval of looks whether the receiver has attached the accounts of a slot, */
const ATTACHED_LOOK_MS = 250;
/** and longest wait for that: the bouncer may not answer the receiver. */
const ATTACHED_MAX_MS = 30_000;

/** A process that acts for accounts, and the slots that they are in. */
export interface ShareOfSlots {
  processId: string;
  name: string | undefined;
  accountSlots: readonly number[];
}

/** This process among those that act for accounts. */
export interface SpreadAccounts {
  /** Slots of this process. */
  readonly own: ReadonlySet<number>;
  /** This process and all that are fit to get slots, as last seen. */
  readonly shares: readonly ShareOfSlots[];
  /** Resolves after the next answered look at the slots; rejects if there is no further look. */
  seen(): Promise<void>;
}

/**
 * What came of it: the accounts of a busy slot have work that does not end in time; a refused one can't be stored now,
 * whichever it is, and its accounts have attached again.
 */
export type HandedOver = 'given' | 'busy' | 'refused';

export interface SpreadParts {
  processId: string;
  accounts: SpreadAccounts;
  /** Hands the accounts of a slot over, if that can be. */
  handOver(slot: number, toProcessId: string): Promise<HandedOver>;
  /** Returns the slots of all accounts that are to be online, one for each account. */
  slotsOfAccounts(): Promise<readonly number[]>;
  /** Whether the receiver has attached, or tried to attach, the accounts of the slot that had a session before. */
  areAttached(slot: number, receiver: ShareOfSlots): Promise<boolean>;
  log: Logger;
}

/**
 * Returns the process that should get a slot of this one: it has the fewest, and at least two fewer. Undefined when the
 * slots are spread evenly.
 */
export function receiverOf(ownId: string, shares: readonly ShareOfSlots[]): ShareOfSlots | undefined {
  const own = shares.find(({ processId }) => processId === ownId)?.accountSlots.length ?? 0;
  const [fewest] = shares
    .filter(({ processId }) => processId !== ownId)
    .toSorted(
      (one, other) => one.accountSlots.length - other.accountSlots.length || (one.processId < other.processId ? -1 : 1),
    );
  return fewest !== undefined && own - fewest.accountSlots.length >= 2 ? fewest : undefined;
}

/**
 * Returns the own slots in the order in which they should be handed over: first those after which both processes act for
 * as many accounts. Of slots with as many accounts the last comes first.
 * @param slotsOfAccounts one for each account
 */
export function bestFirst(
  own: Iterable<number>,
  receiver: readonly number[],
  slotsOfAccounts: readonly number[],
): number[] {
  const counts = new Map<number, number>();
  for (const slot of slotsOfAccounts) counts.set(slot, (counts.get(slot) ?? 0) + 1);
  const accountsIn = (slots: Iterable<number>): number =>
    [...slots].reduce((sum, slot) => sum + (counts.get(slot) ?? 0), 0);
  const surplus = accountsIn(own) - accountsIn(receiver);
  const unevenness = (slot: number): number => Math.abs(surplus - 2 * (counts.get(slot) ?? 0));
  return [...own].toSorted((one, other) => unevenness(one) - unevenness(other) || other - one);
}

/** Hands accounts over to processes that act for fewer, one slot after the other, until all act for as many. */
export function startSpread(parts: SpreadParts): Repeated {
  const { processId, accounts, log } = parts;
  /** Slots that were busy when they were last tried, that of the last try last. */
  const busy = new Set<number>();
  const failure = 'accounts could not be handed over to another process';
  return repeat({ failure, everyMs: INTERVAL_MS, log }, async (signal) => {
    let count = 0;
    let to: string | undefined;
    try {
      while (!signal.aborted) {
        const receiver = receiverOf(processId, accounts.shares);
        if (receiver === undefined) return;
        const slotsOfAccounts = await parts.slotsOfAccounts();
        const slot = await handOverOne(parts, receiver, { slotsOfAccounts, busy });
        if (slot === undefined) return;
        count += 1;
        to = receiver.name;
        const moved = slotsOfAccounts.filter((each) => each === slot).length;
        if (!(await settled(parts, { slot, moved, receiver }, signal))) return;
      }
    } finally {
      if (count > 0) log.info({ slots: count, left: accounts.own.size, to }, 'has handed accounts over');
    }
  });
}

/**
 * Waits until the receiver has attached the accounts of a slot. It is behind where the bouncer is slow, as while all
 * accounts of a process that has ended attach anew: with further slots their sessions here would end before it attaches.
 * @returns false if the signal ends the wait
 */
async function settled(
  { areAttached }: SpreadParts,
  { slot, moved, receiver }: { slot: number; moved: number; receiver: ShareOfSlots },
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + ATTACHED_MAX_MS;
  let waitMs = PACE_MS + PACE_MS_PER_ACCOUNT * moved;
  do {
    if (!(await pause(waitMs, signal))) return false;
    waitMs = ATTACHED_LOOK_MS;
  } while (moved > 0 && performance.now() < deadline && !(await areAttached(slot, receiver)));
  return true;
}

/** Accounts whose work never ends, as their owners may wish, must not keep all others here. */
const busyLast = (slots: readonly number[], busy: ReadonlySet<number>): number[] => [
  ...slots.filter((slot) => !busy.has(slot)),
  ...[...busy].filter((slot) => slots.includes(slot)),
];

/** Hands over the best slot that can be. @returns undefined if there was none */
async function handOverOne(
  { accounts, handOver }: SpreadParts,
  to: ShareOfSlots,
  { slotsOfAccounts, busy }: { slotsOfAccounts: readonly number[]; busy: Set<number> },
): Promise<number | undefined> {
  const best = bestFirst(accounts.own, to.accountSlots, slotsOfAccounts);
  for (const slot of busyLast(best, busy).slice(0, TRIED_AT_ONCE)) {
    const came = await handOver(slot, to.processId);
    if (came === 'refused') return undefined;
    busy.delete(slot);
    if (came === 'busy') {
      busy.add(slot);
      continue;
    }
    // The next receiver is chosen by what the processes have now.
    await Promise.race([accounts.seen().catch(() => undefined), delay(SEEN_MS, undefined, { ref: false })]);
    return slot;
  }
  return undefined;
}
