import { followNames, type KnownNetwork, type RenamedNetwork } from '../domain/known-network.ts';
import type { Network } from '../domain/network.ts';
import type { Seal } from '../ports/seal.ts';
import type { Database } from './database.ts';
import { type LoginPlace, networkLoginPlace } from './network-login-place.ts';

interface KnownRow {
  known_networks: string | null;
}

/** Most networks that are remembered: the configured ones, then those removed last. */
const REMEMBERED_MAX = 1_000;

/**
 * Remembers the networks of this start, in one transaction. Rows of a renamed network get its new name. Call it before
 * the first request to the bouncer.
 */
export async function followNetworks(
  database: Database,
  seal: Seal,
  configured: readonly Network[],
): Promise<{ known: KnownNetwork[]; renamed: RenamedNetwork[] }> {
  return database.transaction(async (transaction) => {
    const before = await readKnownNetworks(transaction);
    const { known, renamed } = followNames(before, configured);
    for (const network of renamed) await rename(transaction, seal, network);
    const text = JSON.stringify(known.slice(0, REMEMBERED_MAX));
    if (text !== JSON.stringify(before)) await transaction('installation').update({ known_networks: text });
    return { known, renamed };
  });
}

export async function readKnownNetworks(database: Database): Promise<KnownNetwork[]> {
  const row: KnownRow | undefined = await database('installation').first('known_networks');
  return JSON.parse(row?.known_networks ?? '[]') as KnownNetwork[];
}

/** Returns all names under which entries of a network may be stored. */
export async function namesOfNetwork(database: Database, name: string): Promise<string[]> {
  const known = (await readKnownNetworks(database)).find((network) => network.name === name);
  return [name, ...(known?.earlierNames ?? [])];
}

async function rename(transaction: Database, seal: Seal, { from, to }: RenamedNetwork): Promise<void> {
  for (const table of ['channel_syncs', 'retention_borders']) {
    // Rows of an earlier network that had the name and no longer exists.
    await transaction(table).where('network', to).delete();
    await transaction(table).where('network', from).update({ network: to });
  }
  await transaction('accounts').where('network', from).update({ network: to });
  // Pending sends need the new name, because their echoes are matched by network. Other entries keep the name of their
  // time.
  const underWay = transaction('messages').whereIn('status', ['pending', 'queued']).select('message_id');
  await transaction('entries').where('network', from).whereIn('message_id', underWay).update({ network: to });
  await renameLogins(transaction, seal, { from, to });
  await renameFilters(transaction, { from, to });
}

/** Encrypts each proof anew, because it is bound to the network's name. */
async function renameLogins(transaction: Database, seal: Seal, { from, to }: RenamedNetwork): Promise<void> {
  const rows: (LoginPlace & { proof_sealed: string })[] = await transaction('network_logins').where('network', from);
  for (const row of rows) {
    const own = () => transaction('network_logins').where('login_id', row.login_id);
    const proof = opened(seal, row);
    if (proof === undefined) continue;
    await transaction('network_logins')
      .where({ account_id: row.account_id, network: to, address: row.address })
      .delete();
    const sealed = seal.close(proof, networkLoginPlace({ ...row, network: to }));
    await own().update({ network: to, proof_sealed: sealed });
  }
}

/** Returns undefined if the keys were replaced since: the person enters the password again. */
function opened(seal: Seal, row: LoginPlace & { proof_sealed: string }): string | undefined {
  try {
    return seal.open(row.proof_sealed, networkLoginPlace(row));
  } catch {
    // None of the keys opens it.
    return undefined;
  }
}

async function renameFilters(transaction: Database, { from, to }: RenamedNetwork): Promise<void> {
  const rows: { subscription_id: string; filters: string }[] = await transaction('subscriptions')
    .where('filters', 'like', '%"network"%')
    .select('subscription_id', 'filters');
  for (const { subscription_id: id, filters } of rows) {
    const parsed = JSON.parse(filters) as { network?: string };
    if (parsed.network?.toLowerCase() !== from.toLowerCase()) continue;
    const changed = JSON.stringify({ ...parsed, network: to });
    await transaction('subscriptions').where('subscription_id', id).update({ filters: changed });
  }
}
