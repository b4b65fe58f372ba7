import type { Claim, Fence } from './claims.ts';

/** Right of this process to act for the accounts: only its holder writes to the database and to the bouncer. */
export interface Hold extends Claim {
  readonly fence: Fence;
}
