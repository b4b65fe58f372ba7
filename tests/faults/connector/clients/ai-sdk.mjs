import { auth, createMCPClient } from '@ai-sdk/mcp';
import { createCredentials, endpoint, play } from './person.mjs';

const { provider, code } = await createCredentials();

const open = () => createMCPClient({ transport: { type: 'http', url: endpoint, authProvider: provider } });

let client;
try {
  client = await open();
} catch {
  await auth(provider, { serverUrl: endpoint, authorizationCode: await code });
  client = await open();
}
const tools = await client.tools();
await play(Object.keys(tools), (name, args) => tools[name].execute(args, { messages: [], toolCallId: name }));
