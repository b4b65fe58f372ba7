import { type Html, html } from '../../html.ts';
import { card } from '../card.ts';

/** How an agent gets here in the first place. */
export const connectCard = (baseUrl: string): Html =>
  card({
    id: 'connect',
    title: 'Connect an agent',
    notice: undefined,
    body: html`<p class="note">Give this address to an AI agent that speaks MCP. It asks for your consent here.</p>
<p><code>${baseUrl}/mcp</code></p>`,
  });
