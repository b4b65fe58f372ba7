import { bouncerUnreachable } from '../errors.ts';
import type { ClosedAccount } from '../ports/removals.ts';
import type { ServiceContext } from './context.ts';

/**
 * Ends the sessions of accounts that were removed, removes their users in the bouncer, and then those that have no history
 * any more. May be called again, whatever was done before. @throws ConnectorError of the first that could not be finished
 */
export async function finishRemovals(context: ServiceContext, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const account of await context.store.removals.closed()) {
    if (signal.aborted) break;
    try {
      await untilAborted(finish(context, account), signal);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function finish({ store, presence, bouncer }: ServiceContext, account: ClosedAccount): Promise<void> {
  const { accountId, bouncerUser, hasHistory } = account;
  const isIdle = await presence.end(accountId);
  await bouncer.removeUser(bouncerUser);
  // It might make the user anew, of which nobody would know without the account.
  if (!isIdle) throw bouncerUnreachable(new Error('what was asked of it for a removed account is still under way'));
  if (!hasHistory) await store.removals.finish(accountId);
}

/** As the work ends, or at once at the signal: a bouncer that hangs must not hold up the end of the program. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const resolve = (): void => aborted.resolve();
  signal.addEventListener('abort', resolve, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', resolve);
  }
}
