import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { startProcess } from '../../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { consent } from '../../../harness/agent.ts';
import type { ConnectorStack } from '../../../harness/start-connector.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { type ClientName, clientPackages } from './versions.ts';

const INSTALL_DEADLINE_MS = 240_000;
const PLAY_DEADLINE_MS = 60_000;

/** A folder in which a client's packages are installed as a person would, and the programs that play it. */
export interface InstalledClient extends AsyncDisposable {
  path: string;
}

/** Results of a client's program. */
export interface Played {
  tools: string[];
  nick: string;
  settingsUrl: string;
  online: { presence: string };
  /** Status of the message that it sent. */
  status: string;
  /** Texts of the newest messages. */
  read: string[];
  /** Number of times that the person was sent to the connector. */
  consents: number;
}

export async function installClient(name: ClientName): Promise<InstalledClient> {
  const folder = await tempFolder();
  await writeFile(
    join(folder.path, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies: clientPackages[name] }),
  );
  await execa(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--legacy-peer-deps'],
    {
      cwd: folder.path,
      timeout: INSTALL_DEADLINE_MS,
    },
  );
  await cp(import.meta.dirname, folder.path, { recursive: true, filter: (file) => !file.endsWith('.ts') });
  return folder;
}

/** Runs the program `NAME.mjs` of a client; the person allows every request. */
export async function playClient(
  stack: ConnectorStack,
  name: ClientName,
  { path }: InstalledClient,
  env: Record<string, string> = {},
): Promise<Played> {
  const running = startProcess({
    name,
    command: [process.execPath, join(path, `${name}.mjs`)],
    cwd: path,
    env: { HOME: path, CLIENT: name, ENDPOINT: `${stack.baseUrl}/mcp`, ...env },
  });
  const visited = new Set<string>();
  try {
    return await waitFor(
      `${name} has played its part`,
      async () => {
        for (const [, url = ''] of running.output().matchAll(/^OPEN (\S+)$/gm)) {
          if (visited.has(url)) continue;
          visited.add(url);
          const callback = await consent(stack, 'ada', new URL(url));
          // Some clients say where to go before they listen for the answer.
          await waitFor('the client takes its code', async () => (await fetch(callback)).ok, { process: running });
        }
        const [, result] = /^RESULT (.*)$/m.exec(running.output()) ?? [];
        return result !== undefined && { ...(JSON.parse(result) as Omit<Played, 'consents'>), consents: visited.size };
      },
      { timeoutMs: PLAY_DEADLINE_MS, process: running },
    );
  } finally {
    await running.stop();
  }
}
