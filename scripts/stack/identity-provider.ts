import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { type ManagedProcess, startProcess } from './managed-process.ts';
import { waitFor } from './wait-for.ts';

const PROBE_DEADLINE_MS = 30_000;

/** The one client of the identity provider: the connector. */
export interface IdentityProviderClient {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

export interface IdentityProvider {
  issuer: string;
  port: number;
  process: ManagedProcess;
}

/** Starts a development identity provider in a process of its own. It believes any typed login: loopback only. */
export async function startIdentityProvider({
  folder,
  port,
  ...client
}: IdentityProviderClient & { folder: string; port?: number }): Promise<IdentityProvider> {
  await mkdir(folder, { recursive: true });
  const listenPort = port ?? (await freePort());
  const issuer = `http://127.0.0.1:${listenPort}`;
  const child = startProcess({
    name: 'identity provider',
    command: [process.execPath, fileURLToPath(new URL('./identity-provider-main.ts', import.meta.url))],
    env: { IDENTITY_PROVIDER: JSON.stringify({ port: listenPort, ...client }) },
    logFile: join(folder, 'identity-provider.log'),
  });
  await waitFor('the identity provider answers', () => answers(issuer), { process: child });
  return { issuer, port: listenPort, process: child };
}

async function answers(issuer: string): Promise<boolean> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(PROBE_DEADLINE_MS),
  });
  return response.ok;
}
