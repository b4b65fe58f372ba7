import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Clock } from '../../kernel/clock.ts';
import { secretHash } from '../domain/ids.ts';
import type { OauthRecords } from '../ports/oauth-records.ts';

const SECOND_MS = 1_000;

/** Storage of the authorization server's library: ids hashed, payloads encrypted, consumption by one conditional update. */
export function createAdapterFactory(records: OauthRecords, clock: Clock): (kind: string) => Adapter {
  return (kind) => {
    const decode = (found: Awaited<ReturnType<OauthRecords['find']>>): AdapterPayload | undefined =>
      found === undefined
        ? undefined
        : {
            ...(JSON.parse(found.payload) as AdapterPayload),
            ...(found.consumedAt === null ? {} : { consumed: Math.floor(found.consumedAt / SECOND_MS) }),
          };
    return {
      upsert: (id, payload, expiresInSeconds) =>
        records.save(kind, {
          idHash: secretHash(id),
          uidHash: payload.uid === undefined ? null : secretHash(payload.uid),
          // A grant is a member of its own family, so that it ends with the family.
          grantHash: hashOrNull(kind === 'Grant' ? id : payload.grantId),
          payload: JSON.stringify(payload),
          expiresAt: expiresInSeconds === undefined ? null : clock.now() + expiresInSeconds * SECOND_MS,
        }),
      find: async (id) => decode(await records.find(kind, { idHash: secretHash(id) })),
      findByUid: async (uid) => decode(await records.find(kind, { uidHash: secretHash(uid) })),
      // Only the device flow has user codes, and it is not offered.
      findByUserCode: async () => undefined,
      consume: async (id) => {
        const isFirst = await records.consume(kind, secretHash(id));
        // The library checks before it consumes. When two requests pass the check together, the second fails here, and its family ends.
        if (!isFirst) throw new errors.InvalidGrant('already used');
      },
      destroy: (id) => records.destroy(kind, secretHash(id)),
      revokeByGrantId: (grantId) => records.destroyFamily(kind, secretHash(grantId)),
    };
  };
}

const hashOrNull = (id: string | undefined): string | null => (id === undefined ? null : secretHash(id));
