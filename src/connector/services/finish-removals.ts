import type { ClosedAccount } from '../ports/removals.ts';
import type { ServiceContext } from './context.ts';

/** Entries removed in one transaction: few, so that others need not wait long. */
const STEP_ENTRIES = 500;

/**
 * Removes what is left of accounts that were removed: their sessions, their users in the bouncer, their history. May be
 * called again, whatever was done before. @throws ConnectorError of the first that could not be finished
 */
export async function finishRemovals(context: ServiceContext, signal: AbortSignal): Promise<void> {
  const accounts = await context.store.removals.closed();
  const outcomes: PromiseSettledResult<void>[] = [];
  for (const account of accounts) outcomes.push(...(await Promise.allSettled([finish(context, account, signal)])));
  throwFirst(outcomes);
}

async function finish(context: ServiceContext, account: ClosedAccount, signal: AbortSignal): Promise<void> {
  const { store, presence, bouncer } = context;
  const { accountId, bouncerUser } = account;
  await presence.end(accountId);
  // The history goes also while the bouncer is away.
  throwFirst(await Promise.allSettled([bouncer.removeUser(bouncerUser), removeHistory(context, accountId, signal)]));
  if (!signal.aborted) await store.removals.finish(accountId);
}

/** In steps: removed together with the account, a long history would hold up everybody. */
async function removeHistory({ store }: ServiceContext, accountId: string, signal: AbortSignal): Promise<void> {
  const { removeUpTo, pruneOldest } = store.retention;
  // Sends that are on their way come last: nobody waits for them any more.
  const step = async (): Promise<number> =>
    (await removeUpTo(accountId, Number.MAX_SAFE_INTEGER, STEP_ENTRIES)) || pruneOldest(accountId, STEP_ENTRIES);
  while (!signal.aborted && (await step()) > 0);
}

function throwFirst(outcomes: readonly PromiseSettledResult<void>[]): void {
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
