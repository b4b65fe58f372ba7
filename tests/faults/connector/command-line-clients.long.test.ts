import { expect } from 'vitest';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { consent } from '../../harness/agent.ts';
import { needs } from '../../harness/needs.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';
import { type InstalledClient, installClient } from './clients/installed-client.ts';

interface CommandLineClient {
  what: string;
  name: 'claude-code' | 'codex';
  /** Adds the connector, and signs in at it. */
  commands: (endpoint: string) => string[];
  /** Where it describes itself. */
  document: string;
  /** What it prints at the end of a sign-in. */
  signedIn: RegExp;
}

const CLIENTS: readonly CommandLineClient[] = [
  {
    what: 'Claude Code',
    name: 'claude-code',
    commands: (endpoint) =>
      [`add --transport http homeport ${endpoint}`, 'login --no-browser homeport'].map(
        (words) => `node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs mcp ${words}`,
      ),
    document: 'https://claude.ai/oauth/claude-code-client-metadata',
    signedIn: /Authenticated with "homeport"/,
  },
  {
    what: 'Codex',
    name: 'codex',
    commands: (endpoint) => [`node_modules/@openai/codex/bin/codex.js mcp add homeport --url ${endpoint}`],
    document: 'https://chatgpt.com/oauth/codex/client.json',
    signedIn: /Successfully logged in/,
  },
];

/** Starts the last command, when those before it have ended. They print for people only on a terminal. */
async function play(client: CommandLineClient, { path }: InstalledClient, endpoint: string): Promise<ManagedProcess> {
  const env = { HOME: path, BROWSER: 'true', DISPLAY: '', DISABLE_AUTOUPDATER: '1' };
  const [last = '', ...before] = client.commands(endpoint).reverse();
  const start = (words: string) =>
    startProcess({
      name: client.what,
      command: ['script', '--quiet', '--return', '--command', `'${process.execPath}' ${words}`, '/dev/null'],
      cwd: path,
      env,
    });
  for (const words of before.reverse()) {
    const added = start(words);
    await waitFor('the client has added the connector', async () => /^Added HTTP/m.test(added.output()));
    await added.stop();
  }
  return start(last);
}

const authorizationRequest = (client: CommandLineClient, running: ManagedProcess) =>
  waitFor(
    `${client.what} asks to be authorised`,
    async () => {
      const [url] = /http:\S+\/oauth\/authorize\?[\w.~%&=+-]+(?=\s)/.exec(running.output()) ?? [];
      return url !== undefined && new URL(url);
    },
    { process: running },
  );

for (const client of CLIENTS) {
  needs('TRY_CLIENTS=1 and an npm registry')(
    `${client.what} names itself by its document, and registers and signs in where documents are off`,
    async () => {
      await using installed = await installClient(client.name);
      {
        await using stack = await startConnectorStack();
        const running = await play(client, installed, `${stack.baseUrl}/mcp`);
        const request = await authorizationRequest(client, running);
        await running.stop();

        expect(Object.fromEntries(request.searchParams)).toMatchObject({
          client_id: client.document,
          scope: 'irc:read irc:write',
          resource: `${stack.baseUrl}/mcp`,
          code_challenge_method: 'S256',
        });
      }
      await using other = await installClient(client.name);
      await using stack = await startConnectorStack({ config: { oauth: { clientDocuments: false } } });
      const running = await play(client, other, `${stack.baseUrl}/mcp`);
      try {
        const request = await authorizationRequest(client, running);
        expect(request.searchParams.get('client_id')).toMatch(/^cli_/);

        expect((await fetch(await consent(stack, 'ada', request))).ok).toBe(true);
        await waitFor('the client is signed in', async () => client.signedIn.test(running.output()));
      } finally {
        await running.stop();
      }
    },
  );
}
