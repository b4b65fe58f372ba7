import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { MCPClient } from 'mcp-use/client';
import { createCredentials, endpoint, play } from './person.mjs';

// It takes a token: its own sign-in is made for web pages.
const { provider, code } = await createCredentials();
await auth(provider, { serverUrl: endpoint });
await auth(provider, { serverUrl: endpoint, authorizationCode: await code });
const headers = { Authorization: `Bearer ${provider.tokens().access_token}` };
const client = MCPClient.fromDict({ mcpServers: { homeport: { url: endpoint, headers } } });
const session = await client.createSession('homeport');
const tools = await session.connector.listTools();
await play(
  tools.map(({ name }) => name),
  (name, args) => session.connector.callTool(name, args),
);
