import { bouncerUnreachable } from '../errors.ts';
import type { ClosedAccount } from '../ports/removal-store.ts';
import type { ServiceContext } from './context.ts';

/**
 * Ends the sessions of removed accounts, removes their users in the bouncer, and then the accounts that have no history
 * any more. It may be repeated after any failure.
 * @throws ConnectorError of the first account that could not be finished
 */
export async function finishRemovals(context: ServiceContext, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const account of await context.store.removals.closed()) {
    if (signal.aborted) break;
    // Another process has its session.
    if (!(await context.presence.actsFor(account.accountId))) continue;
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
  // An operation under way might create the user anew, and without the account it would never be removed.
  if (!isIdle) throw bouncerUnreachable(new Error('what was asked of it for a removed account is still under way'));
  if (!hasHistory) await store.removals.finish(accountId);
}

/**
 * Settles like `work`, or resolves as soon as `signal` aborts: a bouncer that hangs must not hold up the end of the
 * program.
 */
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
