import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { DAY_MS, PRUNE_INTERVAL_MS } from '../domain/limits.ts';
import { pause } from '../pause.ts';
import type { Store } from '../ports/store.ts';
import { type Repeated, repeat } from './repeat.ts';

/** Entries removed in one transaction: few, so that other work need not wait long. */
const PRUNE_STEP_ROWS = 200;
/** Most counts of entries in one pass: each round finds fewer new ones. */
const ROUNDS_MAX = 5;
/** Pause between two transactions, in which other work can run. */
const STEP_PAUSE_MS = 20;

export interface RetentionOptions {
  store: Pick<Store, 'accounts' | 'retention'>;
  clock: Clock;
  log: Logger;
  /** Limits, read at each pass, because a reload may change them. */
  keep: () => { days: number; entriesPerAccount: number };
  /** Returns whether the clock may be trusted to decide what is too old. */
  isSteady: () => boolean;
}

/**
 * Removes entries that are older than the owner allows, and the oldest ones above the allowed number; now and at an
 * interval.
 */
export function startRetention(options: RetentionOptions): Repeated {
  const { store, log } = options;
  return repeat({ failure: 'old entries could not be removed', everyMs: PRUNE_INTERVAL_MS, log }, async (signal) => {
    for (const { accountId } of await store.accounts.list()) {
      if (signal.aborted) return;
      await prune(accountId, options, signal);
    }
  });
}

/** Runs one pass over one account. @spec connector#limits retention holds for unacknowledged data too */
export async function prune(
  accountId: string,
  { store, clock, keep, isSteady }: Omit<RetentionOptions, 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const { days, entriesPerAccount } = keep();
  const before = clock.now() - days * DAY_MS;
  if (isSteady()) await inSteps(() => store.retention.pruneOlder(accountId, before, PRUNE_STEP_ROWS), signal);
  // Entries stored meanwhile may exceed the limit again.
  for (let round = 0; round < ROUNDS_MAX && !signal.aborted; round += 1) {
    let excess = await store.retention.excess(accountId, entriesPerAccount);
    if (excess === 0) return;
    await inSteps(async () => {
      if (excess === 0) return 0;
      const pruned = await store.retention.pruneOldest(accountId, Math.min(excess, PRUNE_STEP_ROWS));
      excess -= pruned;
      return pruned;
    }, signal);
  }
}

async function inSteps(step: () => Promise<number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await step()) > 0 && (await pause(STEP_PAUSE_MS, signal)));
}
