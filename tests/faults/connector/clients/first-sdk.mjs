import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createCredentials, endpoint, play } from './person.mjs';

const { provider, code } = await createCredentials();

async function connect() {
  const client = new Client({ name: 'tests', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(endpoint), { authProvider: provider });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(await code);
    return undefined;
  }
}

const client = (await connect()) ?? (await connect());
const { tools } = await client.listTools();
await play(
  tools.map(({ name }) => name),
  (name, args) => client.callTool({ name, arguments: args }),
);
