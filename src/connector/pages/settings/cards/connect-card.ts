import { type Html, html } from '../../html.ts';
import { card } from '../card.ts';

/** The address and the steps with which a person connects an agent. */
export const connectCard = (baseUrl: string): Html =>
  card({
    id: 'connect',
    title: 'Connect an agent',
    notice: undefined,
    body: html`<p class="note">Give this address to an AI agent that speaks MCP. It asks for your consent here. One click selects it.</p>
<p><code class="copy">${baseUrl}/mcp</code></p>
${stepsFor(`${baseUrl}/mcp`).map(({ client, steps }) => html`<details><summary>${client}</summary>${steps}</details>`)}`,
  });

/** Steps for each client, the same as in the guide to connecting agents. */
const stepsFor = (address: string): { client: string; steps: Html }[] => [
  {
    client: 'Claude',
    steps: html`<p>On claude.ai or in the desktop app: <em>Settings</em>, <em>Connectors</em>, <em>Add custom connector</em>. Give it a name and the address, then <em>Connect</em>.</p>`,
  },
  {
    client: 'Claude Code',
    steps: html`<p>In a terminal, then <code>/mcp</code>, <em>homeport</em>, <em>Authenticate</em> in Claude Code:</p>
${command(`claude mcp add --transport http homeport ${address}`)}`,
  },
  {
    client: 'ChatGPT',
    steps: html`<p>On the web: <em>Settings</em>, <em>Apps</em>, <em>Advanced settings</em>, switch <em>Developer mode</em> on. Then <em>Create</em> with the address, and <em>OAuth</em> as authentication.</p>`,
  },
  {
    client: 'Codex',
    steps: html`<p>In a terminal; it opens the browser by itself:</p>
${command(`codex mcp add homeport --url ${address}`)}`,
  },
  {
    client: 'Cursor',
    steps: html`<p>In <code>~/.cursor/mcp.json</code>, then <em>Connect</em> in the settings under <em>MCP</em>:</p>
${command(JSON.stringify({ mcpServers: { homeport: { url: address } } }))}`,
  },
  {
    client: 'Gemini CLI',
    steps: html`<p>In a terminal, then <code>/mcp auth homeport</code> in Gemini CLI:</p>
${command(`gemini mcp add --scope user --transport http homeport ${address}`)}`,
  },
  {
    client: 'OpenCode',
    steps: html`<p>In <code>~/.config/opencode/opencode.json</code>, then <code>opencode mcp auth homeport</code> in a terminal:</p>
${command(JSON.stringify({ mcp: { homeport: { type: 'remote', url: address, enabled: true } } }))}`,
  },
  {
    client: 'VS Code',
    steps: html`<p>In <code>.vscode/mcp.json</code>, then <em>Start</em> above the entry:</p>
${command(JSON.stringify({ servers: { homeport: { type: 'http', url: address } } }))}`,
  },
  {
    client: 'A program that knows only local servers',
    steps: html`<p>Let it start this:</p>
${command(`npx -y mcp-remote ${address}`)}`,
  },
];

const command = (text: string): Html => html`<p><code class="copy">${text}</code></p>`;
