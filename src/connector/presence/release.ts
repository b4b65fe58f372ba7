import type { BouncerSession } from '../ports/bouncer-session.ts';
import type { Departure } from './departure.ts';
import { until } from './until.ts';

/** Longest wait for work under way. */
const WORK_DEADLINE_MS = 3_000;
const POLL_MS = 20;

/** An account that passes to another process. */
export interface Departing {
  departure: Departure;
  /** Whether it has an order whose outcome is not recorded. */
  hasOrder: () => boolean;
}

/**
 * Ends all work for these accounts, all of them or none.
 * @param isOff whether it is called off
 * @returns the sessions, to be closed later; undefined if the work did not end in time: then it goes on
 */
export async function releaseAll(
  accounts: readonly Departing[],
  isOff: () => boolean,
): Promise<BouncerSession[] | undefined> {
  const goOn = (): undefined => {
    for (const { departure } of accounts) departure.goOn();
  };
  if (!(await heldAll(accounts))) return goOn();
  const flushed = await Promise.all(accounts.map(({ departure }) => departure.flushed()));
  if (flushed.includes(false) || isOff()) return goOn();
  return accounts.flatMap(({ departure }) => departure.leave() ?? []);
}

/** Holds all accounts at a moment at which nothing is under way for any of them; false if none comes in time. */
async function heldAll(accounts: readonly Departing[]): Promise<boolean> {
  const endsAt = performance.now() + WORK_DEADLINE_MS;
  const begin = (): void => {
    for (const { departure } of accounts) departure.begin();
  };
  begin();
  const isReady = (): boolean => accounts.every(({ departure, hasOrder }) => departure.isReady && !hasOrder());
  while (await until(isReady, endsAt - performance.now(), POLL_MS)) {
    let isIdle = false;
    const idle = Promise.all(accounts.map(({ departure }) => departure.hold())).then(() => {
      isIdle = true;
    });
    await Promise.race([idle, until(() => isIdle, endsAt - performance.now(), POLL_MS)]);
    if (!isIdle) return false;
    if (isReady()) return true;
    // What ended meanwhile has begun something else.
    for (const { departure } of accounts) departure.goOn();
    begin();
  }
  return false;
}
