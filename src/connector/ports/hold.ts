import type { Claim, Fence } from './claims.ts';

/** That this process acts for the accounts: it alone writes to the database and to the bouncer. */
export interface Hold extends Claim {
  readonly fence: Fence;
  /** Whether the process before this one ended without releasing it: it may wake, and may have said something just now. */
  readonly isTakenFromDead: boolean;
}
