import type { Clock } from '../../kernel/clock.ts';
import type { ConsentStore } from '../ports/consent-store.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import type { OauthRecords } from '../ports/oauth-records.ts';
import type { Seal } from '../ports/seal.ts';
import { createConsentStore } from './consents.ts';
import type { Database } from './database.ts';
import { withFailuresExplained } from './failures.ts';
import { createOauthRecords } from './oauth-record-rows.ts';
import { createInvalidations } from './shared-invalidations.ts';

/** The authorization server's records, and the consents that they depend on. */
export interface OauthStore {
  records: OauthRecords;
  consents: ConsentStore;
}

export function createOauthStore(
  database: Database,
  seal: Seal,
  clock: Clock,
  invalidations: Invalidations = createInvalidations(),
): OauthStore {
  return {
    records: withFailuresExplained(createOauthRecords({ database, seal, clock, invalidations })),
    consents: withFailuresExplained(createConsentStore({ database, clock, invalidations })),
  };
}
