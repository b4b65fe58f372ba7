import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ManagedProcess, startProcess } from '../../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { InstalledClient } from './installed-client.ts';
import type { ClientName } from './versions.ts';

export const PROMPT = 'What is new in #room? Say hello there.';

/** The connector's address for a program, and the stand-in for its model. */
export interface Surroundings {
  endpoint: string;
  modelUrl: string;
}

/** An agent that runs in a terminal, as a person uses it who has no account at its company. */
export interface AgentProgram {
  what: string;
  name: ClientName & ('claude-code' | 'codex' | 'opencode' | 'gemini-cli');
  /** Path below the home folder -> file; the files lead to the scripted model. */
  files: (of: Surroundings) => Record<string, string>;
  /** Commands that add the connector and end by themselves. */
  adding: (endpoint: string) => string[];
  /** Command that signs in, with a browser that the test opens; undefined where that needs a person at the keyboard. */
  signIn: ((endpoint: string) => string) | undefined;
  /** Text that it prints at the end of a sign-in. */
  signedIn: RegExp;
  /** Address of the document in which it describes itself; undefined for one that registers. */
  document: string | undefined;
  /** Has the model answer one prompt, and ends. */
  converse: string;
  environment: (of: Surroundings) => Record<string, string>;
  /** The part of a result that its model reads. */
  modelReads: 'text' | 'structured content';
}

const CLAUDE = 'node node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs';
const CODEX = 'node node_modules/@openai/codex/bin/codex.js';
// Its package has a script that puts this in place of its command.
const OPENCODE = 'node_modules/opencode-linux-x64/bin/opencode';
const GEMINI = 'node node_modules/@google/gemini-cli/bundle/gemini.js';

export const AGENT_PROGRAMS: readonly AgentProgram[] = [
  {
    what: 'Claude Code',
    name: 'claude-code',
    files: () => ({}),
    adding: (endpoint) => [`${CLAUDE} mcp add --transport http homeport ${endpoint}`],
    signIn: () => `${CLAUDE} mcp login --no-browser homeport`,
    signedIn: /Authenticated with "homeport"/,
    document: 'https://claude.ai/oauth/claude-code-client-metadata',
    converse: `${CLAUDE} -p "${PROMPT}" --allowedTools mcp__homeport`,
    environment: ({ modelUrl }) => ({
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'of-the-tests',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Else the model would have to search for the tools first.
      ENABLE_TOOL_SEARCH: 'false',
    }),
    modelReads: 'structured content',
  },
  {
    what: 'Codex',
    name: 'codex',
    files: ({ modelUrl }) => ({
      '.codex/config.toml': `model = "scripted"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"
`,
    }),
    adding: () => [],
    signIn: (endpoint) => `${CODEX} mcp add homeport --url ${endpoint}`,
    signedIn: /Successfully logged in/,
    document: 'https://chatgpt.com/oauth/codex/client.json',
    converse: `${CODEX} exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox "${PROMPT}"`,
    environment: () => ({}),
    modelReads: 'structured content',
  },
  {
    what: 'OpenCode',
    name: 'opencode',
    files: ({ endpoint, modelUrl }) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        model: 'scripted/scripted',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${modelUrl}/v1`, apiKey: 'of-the-tests' },
            models: { scripted: { name: 'Scripted' } },
          },
        },
        mcp: { homeport: { type: 'remote', url: endpoint, enabled: true } },
      }),
    }),
    adding: () => [],
    signIn: () => `${OPENCODE} mcp auth homeport`,
    signedIn: /Authentication successful/,
    document: undefined,
    converse: `${OPENCODE} run "${PROMPT}"`,
    environment: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }),
    modelReads: 'text',
  },
  {
    what: 'Gemini CLI',
    name: 'gemini-cli',
    files: ({ endpoint }) => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        mcpServers: { homeport: { httpUrl: endpoint, headers: { Authorization: 'Bearer $HOMEPORT_TOKEN' } } },
      }),
    }),
    adding: () => [],
    signIn: undefined,
    signedIn: /Authentication Successful/,
    document: undefined,
    converse: `${GEMINI} -m gemini-2.5-flash -p "${PROMPT}" --approval-mode yolo`,
    environment: ({ modelUrl }) => ({
      GEMINI_API_KEY: 'of-the-tests',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    modelReads: 'text',
  },
];

/** A program in a folder of its own, which is its home as well. */
export class InstalledProgram {
  readonly #program: AgentProgram;
  readonly #path: string;
  readonly #surroundings: Surroundings;

  constructor(program: AgentProgram, { path }: InstalledClient, surroundings: Surroundings) {
    this.#program = program;
    this.#path = path;
    this.#surroundings = surroundings;
  }

  /** Writes its configuration, and adds the connector to it. */
  async prepare(): Promise<void> {
    for (const [name, content] of Object.entries(this.#program.files(this.#surroundings))) {
      const file = join(this.#path, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    for (const command of this.#program.adding(this.#surroundings.endpoint)) {
      const added = this.start(command);
      await waitFor('the client has added the connector', async () => /Added HTTP/.test(added.output()));
      await added.stop();
    }
  }

  /** Starts a command of it on a terminal: without one, some commands print no text for people. */
  start(command: string, environment: Record<string, string> = {}): ManagedProcess {
    return startProcess({
      name: this.#program.what,
      command: ['script', '--quiet', '--return', '--command', command, '/dev/null'],
      cwd: this.#path,
      env: {
        HOME: this.#path,
        BROWSER: 'true',
        DISPLAY: '',
        ...this.#program.environment(this.#surroundings),
        ...environment,
      },
    });
  }

  /** Starts its sign-in, and gives the address to which it sends the person. */
  async beginSignIn(): Promise<{ running: ManagedProcess; request: URL }> {
    const running = this.start(this.#program.signIn?.(this.#surroundings.endpoint) ?? 'false');
    const request = await waitFor(
      `${this.#program.what} asks to be authorised`,
      async () => {
        // An address may be printed as a link, too: any character that can't be in an address ends it.
        const [url] = /http:\/\/[\w.:]+\/oauth\/authorize\?[\w.~%&=+-]+(?=[^\w.~%&=+-])/.exec(running.output()) ?? [];
        return url !== undefined && new URL(url);
      },
      { process: running },
    );
    return { running, request };
  }
}
