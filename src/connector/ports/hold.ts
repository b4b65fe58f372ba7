import type { Claim, Fence } from './claims.ts';

/** Right of this process to act for the accounts: only its holder writes to the database and to the bouncer. */
export interface Hold extends Claim {
  readonly fence: Fence;
}

/**
 * Why a process could take the slot: it was free, as after an orderly end; its holder, the run before on this machine,
 * had ended without releasing it; or its holder was silent.
 */
export const TAKEOVER_CAUSES = ['free', 'ended', 'silent'] as const;
export type TakeoverCause = (typeof TAKEOVER_CAUSES)[number];
