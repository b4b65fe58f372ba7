import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { MCPServerStreamableHttp } from '@openai/agents';
import { createCredentials, endpoint, play } from './person.mjs';

const { provider, code } = await createCredentials();

async function open() {
  const server = new MCPServerStreamableHttp({ url: endpoint, name: 'homeport', authProvider: provider });
  await server.connect();
  return server;
}

let server;
try {
  server = await open();
} catch {
  await auth(provider, { serverUrl: endpoint, authorizationCode: await code });
  server = await open();
}
const tools = await server.listTools();
await play(
  tools.map(({ name }) => name),
  (name, args) => server.callTool(name, args),
);
