import { z } from 'zod';
import type { Clock } from '../../kernel/clock.ts';
import { cutWords, LOGIN_STATES, type LoginProof, type NetworkLogin } from '../domain/login-at-network.ts';
import type { Network } from '../domain/network.ts';
import type { NetworkLoginStore } from '../ports/network-login-store.ts';
import type { Seal } from '../ports/seal.ts';
import { newId } from '../random.ts';
import { accountGone } from './account-changes.ts';
import type { Database } from './database.ts';
import { type LoginPlace, networkLoginPlace } from './network-login-place.ts';

interface LoginRow {
  login_id: string;
  account_id: string;
  network: string;
  address: string;
  proof_sealed: string;
  state: string;
  words: string | null;
  changed_at: number | string;
}

const Proof = z.nullable(
  z.union([
    z.object({ kind: z.literal('password'), name: z.string(), password: z.string() }),
    z.object({
      kind: z.literal('certificate'),
      fingerprints: z.object({ sha256: z.string(), sha512: z.string() }),
    }),
  ]),
);

const State = z.enum(LOGIN_STATES);

export function createNetworkLoginStore(database: Database, seal: Seal, clock: Clock): NetworkLoginStore {
  const rows = () => database<LoginRow>('network_logins');
  const sealed = (place: LoginPlace, proof: LoginProof | null): string =>
    seal.close(JSON.stringify(proof), networkLoginPlace(place));
  return {
    find: async (accountId, { name, address }) => {
      const row = await rows().where({ account_id: accountId, network: name, address }).first();
      return row === undefined ? undefined : loginOf(row, seal);
    },
    list: async (accountId) => {
      const found = await rows().where('account_id', accountId);
      return found.map((row) => loginOf(row, seal)).sort(byNetwork);
    },
    enter: (accountId, { name, address }, proof) =>
      database.transaction(async (transaction) => {
        const account: unknown = await transaction('accounts')
          .where('account_id', accountId)
          .whereNull('removed_at')
          .forUpdate()
          .first('account_id');
        if (account === undefined) throw accountGone();
        const of = { account_id: accountId, network: name, address };
        const place = { login_id: newId('nlg'), ...of };
        await transaction('network_logins').where(of).delete();
        await transaction('network_logins').insert({
          ...place,
          ...{ proof_sealed: sealed(place, proof), state: 'waiting', words: null, changed_at: clock.now() },
        });
        return place.login_id;
      }),
    note: async (loginId, state, words = null) => {
      await rows()
        .where('login_id', loginId)
        .whereNot('state', 'cleared')
        .update({ state, words: cutWords(words ?? undefined), changed_at: clock.now() });
    },
    want: async (loginId) => {
      const offline = database('accounts').whereNull('online_since').select('account_id');
      await rows()
        .where('login_id', loginId)
        .whereNotIn('state', ['accepted', 'cleared'])
        // An attempt under way ends by itself; that of an account which went offline meanwhile does not.
        .where((tried) => tried.whereNot('state', 'trying').orWhereIn('account_id', offline))
        .update({ state: 'waiting', words: null, changed_at: clock.now() });
    },
    clear: async (loginId) => {
      const row = await rows().where('login_id', loginId).first();
      if (row === undefined) return;
      await rows()
        .where('login_id', loginId)
        .update({ proof_sealed: sealed(row, null), state: 'cleared', words: null, changed_at: clock.now() });
    },
    remove: async (loginId) => {
      await rows().where('login_id', loginId).delete();
    },
  };
}

function loginOf(row: LoginRow, seal: Seal): NetworkLogin {
  const network: Network = { name: row.network, address: row.address };
  return { loginId: row.login_id, network, proof: proofOf(row, seal), state: State.parse(row.state), words: row.words };
}

/** Returns undefined if the keys were replaced since: the person enters the proof again. */
function proofOf(row: LoginRow, seal: Seal): LoginProof | undefined {
  let text: string;
  try {
    text = seal.open(row.proof_sealed, networkLoginPlace(row));
  } catch {
    // None of the keys opens it.
    return undefined;
  }
  return Proof.parse(JSON.parse(text)) ?? undefined;
}

const byNetwork = (one: NetworkLogin, other: NetworkLogin): number =>
  one.network.name < other.network.name ? -1 : Number(one.network.name > other.network.name);
