import type { Knex } from 'knex';
import { accountsAndHistory } from './0001-accounts-and-history.ts';
import { oauthRecords } from './0002-oauth-records.ts';
import { capture } from './0003-capture.ts';
import { reading } from './0004-reading.ts';
import { leases } from './0005-leases.ts';
import { search } from './0006-search.ts';
import { searchByChannel } from './0007-search-by-channel.ts';
import { runningCounts } from './0008-running-counts.ts';
import { selections } from './0009-selections.ts';
import { presences } from './0010-presences.ts';
import { consents } from './0011-consents.ts';
import { presenceStatus } from './0012-presence-status.ts';
import { unusedClients } from './0013-unused-clients.ts';
import { lostLogins } from './0014-lost-logins.ts';
import { subscriptions } from './0015-subscriptions.ts';
import { choices } from './0016-choices.ts';
import { loginKeys } from './0017-login-keys.ts';
import { consentsByClient } from './0018-consents-by-client.ts';
import { owedDeletions } from './0020-owed-deletions.ts';
import { retentionBorders } from './0021-retention-borders.ts';
import { echoes } from './0022-echoes.ts';
import { installation } from './0023-installation.ts';
import { whereClientsRegister } from './0024-where-clients-register.ts';
import { casemappings } from './0028-casemappings.ts';
import { droppedDeliveries } from './0029-dropped-deliveries.ts';
import { processes } from './0030-processes.ts';
import { linesOnTheirWay } from './0031-lines-on-their-way.ts';
import { owedPasswords } from './0032-owed-passwords.ts';
import { networkLogins } from './0033-network-logins.ts';
import { namesForAgents } from './0034-names-for-agents.ts';
import { knownNetworks } from './0035-known-networks.ts';
import { readers } from './0036-readers.ts';
import { whatProcessesShare } from './0037-what-processes-share.ts';
import { deliveryOwners } from './0038-delivery-owners.ts';
import { postedAt } from './0039-posted-at.ts';
import { outbox } from './0040-outbox.ts';
import { loginAttempts } from './0041-login-attempts.ts';
import { orders } from './0045-orders.ts';
import { waitingLines } from './0049-waiting-lines.ts';
import { accountSlots } from './0050-account-slots.ts';
import { knownByProcesses } from './0051-known-by-processes.ts';
import { agreement } from './0052-agreement.ts';
import type { Migration } from './migration.ts';

const migrations: readonly Migration[] = [
  accountsAndHistory,
  oauthRecords,
  capture,
  reading,
  leases,
  search,
  searchByChannel,
  runningCounts,
  selections,
  presences,
  consents,
  presenceStatus,
  unusedClients,
  lostLogins,
  subscriptions,
  choices,
  loginKeys,
  consentsByClient,
  owedDeletions,
  retentionBorders,
  echoes,
  installation,
  whereClientsRegister,
  casemappings,
  droppedDeliveries,
  processes,
  linesOnTheirWay,
  owedPasswords,
  networkLogins,
  namesForAgents,
  knownNetworks,
  readers,
  whatProcessesShare,
  deliveryOwners,
  postedAt,
  outbox,
  orders,
  loginAttempts,
  waitingLines,
  accountSlots,
  agreement,
  knownByProcesses,
];

export const migrationSource: Knex.MigrationSource<Migration> = {
  getMigrations: async () => [...migrations],
  getMigrationName: ({ name }) => name,
  getMigration: async ({ up }) => ({
    up,
    down: async () => {
      throw new Error('migrations go forward only: restore a backup instead');
    },
  }),
};
