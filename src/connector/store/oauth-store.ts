import type { Clock } from '../../kernel/clock.ts';
import type { ConsentStore } from '../ports/consents.ts';
import type { OauthRecords } from '../ports/oauth-records.ts';
import type { Seal } from '../ports/seal.ts';
import { Cache } from './cache.ts';
import { createConsentStore } from './consents.ts';
import type { Database } from './database.ts';
import { withFailuresExplained } from './failures.ts';
import { createOauthRecords, type KeptRecord } from './oauth-records.ts';

/** What the authorization server keeps, and the consents it all depends on. */
export interface OauthStore {
  records: OauthRecords;
  consents: ConsentStore;
}

export function createOauthStore(database: Database, seal: Seal, clock: Clock): OauthStore {
  // Each request looks up its token. A kept one is good only while its consent stands, so that changes of either forget it.
  const cache = new Cache<KeptRecord>();
  return {
    records: withFailuresExplained(createOauthRecords({ database, seal, clock, cache })),
    consents: withFailuresExplained(createConsentStore({ database, clock, cache })),
  };
}
