import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { createCredentials, endpoint, play } from './person.mjs';

const { provider, code } = await createCredentials();

const open = () =>
  new MultiServerMCPClient({
    prefixToolNameWithServerName: false,
    additionalToolNamePrefix: '',
    mcpServers: { homeport: { transport: 'http', url: endpoint, authProvider: provider } },
  }).getTools();

let tools;
try {
  tools = await open();
} catch {
  await auth(provider, { serverUrl: endpoint, authorizationCode: await code });
  tools = await open();
}
await play(
  tools.map(({ name }) => name),
  (name, args) => tools.find((tool) => tool.name === name).invoke(args),
);
