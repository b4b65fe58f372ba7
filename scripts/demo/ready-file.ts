import { rename, writeFile } from 'node:fs/promises';
import type { Stack } from './stack.ts';

/** Writes what a script needs to talk to the demo; the file appears complete or not at all, and only its owner can read it. */
export async function writeReadyFile(file: string, stack: Stack): Promise<void> {
  const { connector, agent, irc, soju, ergo, identityProvider, owner, users, channels, testCallbackHosts } = stack;
  const content = {
    connector: { baseUrl: connector.baseUrl, adminToken: connector.adminToken, pid: connector.pid },
    agent: { baseUrl: agent.baseUrl, token: agent.token, pid: agent.pid },
    irc,
    soju: { adminSocket: soju.adminSocket, pid: soju.pid },
    ergo: { pid: ergo.pid },
    identityProvider: { issuer: identityProvider.issuer },
    owner,
    users,
    channels,
    database: connector.database,
    legacyClient: connector.legacyClient,
    testCallbackHosts,
  };
  const part = `${file}.${process.pid}.part`;
  await writeFile(part, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(part, file);
}
