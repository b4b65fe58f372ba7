import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Clock } from '../../kernel/clock.ts';
import { secretHash } from '../domain/ids.ts';
import { DECISION_SECONDS, UNDECIDED_REQUESTS, UNUSED_CLIENT_SECONDS, UNUSED_CLIENTS } from '../domain/limits.ts';
import type { ConsentStore } from '../ports/consent-store.ts';
import {
  type FoundRecord,
  INTERACTION,
  type OauthRecord,
  type OauthRecords,
  type RecordBounds,
} from '../ports/oauth-records.ts';
import { withHashedSecret } from './client-secrets.ts';
import type { Redemptions } from './redemptions.ts';
import { later } from './refusal-texts.ts';
import { requestOrigin } from './registrants.ts';

const SECOND_MS = 1_000;

const TOO_MANY_CLIENTS =
  'many apps have registered that are not in use yet: try again in 20 minutes, or let their people decide';
const TOO_MANY_REQUESTS = 'many apps wait for a decision of their people: try again in 20 minutes, or let them decide';

export interface AdapterParts {
  records: OauthRecords;
  consents: ConsentStore;
  redemptions: Redemptions;
  clock: Clock;
}

/**
 * Storage of the authorization server's library. Ids and clients' secrets are hashed, payloads are encrypted, and the
 * changes of one token request are stored at once.
 */
export function createAdapterFactory({
  records,
  consents,
  redemptions,
  clock,
}: AdapterParts): (kind: string) => Adapter {
  const endOf = (seconds: number): number => clock.now() + seconds * SECOND_MS;
  return (kind) => {
    const recordOf = (id: string, payload: AdapterPayload, expiresAt: number | null): OauthRecord => ({
      idHash: secretHash(id),
      uidHash: hashOrNull(payload.uid),
      // A grant is a member of its own family, so that it ends with the family.
      grantHash: hashOrNull(kind === 'Grant' ? id : payload.grantId),
      payload: JSON.stringify(withoutSecrets(kind, payload)),
      expiresAt,
    });
    const save = (id: string, payload: AdapterPayload, expiresAt: number | null): Promise<void> =>
      redemptions.save(kind, recordOf(id, payload, expiresAt));
    const admit = async (record: OauthRecord, bounds: RecordBounds, refusal: string): Promise<void> => {
      if (await records.admit(kind, record, requestOrigin(), bounds)) return;
      throw later('too_many_requests', refusal);
    };
    return {
      upsert: async (id, payload, expiresInSeconds) => {
        switch (kind) {
          case 'Client':
            // An unused registration ends after this time, unless a person authorises the client.
            await admit(recordOf(id, payload, endOf(UNUSED_CLIENT_SECONDS)), UNUSED_CLIENTS, TOO_MANY_CLIENTS);
            return;
          case INTERACTION: {
            const end = endOf(expiresInSeconds ?? DECISION_SECONDS);
            await admit(recordOf(id, payload, end), UNDECIDED_REQUESTS, TOO_MANY_REQUESTS);
            await records.keepBusy('Client', secretHash(clientIn(payload)), end);
            return;
          }
          case 'Grant':
            // The library never saves a grant again, so its term would not follow the use of its tokens. Its consent
            // decides.
            await save(id, payload, null);
            return;
          default:
            await save(id, payload, expiresInSeconds === undefined ? null : endOf(expiresInSeconds));
        }
      },
      find: async (id) => {
        const payload = decode(kind, await records.find(kind, { idHash: secretHash(id) }));
        if (redemptions.decidesAboutReuse(kind)) delete payload?.consumed;
        return payload === undefined || kind === 'Client' ? payload : { ...payload, jti: id };
      },
      findByUid: async (uid) => decode(kind, await records.find(kind, { uidHash: secretHash(uid) })),
      // Only the device flow has user codes, and it is not offered.
      findByUserCode: async () => undefined,
      consume: async (id) => redemptions.consume(kind, secretHash(id)),
      destroy: (id) => (kind === 'Grant' ? consents.endFamily(secretHash(id)) : records.destroy(kind, secretHash(id))),
      revokeByGrantId: (grantId) => consents.endFamily(secretHash(grantId)),
    };
  };
}

/**
 * Takes the ids and secrets that clients and browsers present out of a payload, so that even the encryption key does
 * not reveal them.
 */
function withoutSecrets(kind: string, payload: AdapterPayload): AdapterPayload {
  if (kind === 'Client') return withHashedSecret(payload);
  const { jti: _, ...rest } = payload;
  return rest;
}

function decode(kind: string, found: FoundRecord | undefined): AdapterPayload | undefined {
  if (found === undefined) return undefined;
  const payload = JSON.parse(found.payload) as AdapterPayload;
  if (kind === 'Grant') payload.exp = Math.floor(found.endsAt / SECOND_MS);
  if (found.consumedAt !== null) payload.consumed = Math.floor(found.consumedAt / SECOND_MS);
  return payload;
}

const clientIn = ({ params }: AdapterPayload): string => String(params?.['client_id']);

const hashOrNull = (id: string | undefined): string | null => (id === undefined ? null : secretHash(id));
