import type { Claim } from './claims.ts';

/** What distinguishes a holder from all others. The number alone does not: a restored backup counts from an earlier one. */
export interface Fence {
  processId: string;
  fence: number;
}

/** That this process acts for the accounts: it alone writes to the database and to the bouncer. */
export interface Hold extends Claim {
  readonly fence: Fence;
  /** Whether the process before this one ended without releasing it: it may wake, and may have said something just now. */
  readonly isTakenFromDead: boolean;
}
