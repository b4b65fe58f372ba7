import { accounts } from './accounts-check.ts';
import type { Check } from './check.ts';
import { clientDocuments } from './client-documents-check.ts';
import { clock } from './clock-check.ts';
import { connections } from './connections-check.ts';
import { database } from './database-check.ts';
import { identityProvider } from './identity-provider-check.ts';
import { installation } from './install-check.ts';
import { metadata } from './metadata-check.ts';
import { processes } from './processes-check.ts';
import { publicAddress } from './public-address-check.ts';
import { sojuListener } from './soju-listener-check.ts';
import { sojuSocket } from './soju-socket-check.ts';
import { sojuStore } from './soju-store-check.ts';

/** All checks, in the order of the output. */
export const checks: readonly Check[] = [
  publicAddress,
  metadata,
  identityProvider,
  clientDocuments,
  sojuSocket,
  sojuListener,
  sojuStore,
  database,
  connections,
  processes,
  accounts,
  installation,
  clock,
];
