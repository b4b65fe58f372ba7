import type { Check } from './check.ts';
import { clientDocuments } from './client-documents.ts';
import { clock } from './clock.ts';
import { connections } from './connections.ts';
import { database } from './database.ts';
import { identityProvider } from './identity-provider.ts';
import { installation } from './installation.ts';
import { metadata } from './metadata.ts';
import { processes } from './processes.ts';
import { publicAddress } from './public-address.ts';
import { sojuListener } from './soju-listener.ts';
import { sojuSocket } from './soju-socket.ts';
import { sojuStore } from './soju-store.ts';

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
  installation,
  clock,
];
