import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { endpoint, play, send } from './person.mjs';

const transport = new StdioClientTransport({
  // It ends with this program, also while it waits for the person.
  command: 'setpriv',
  args: ['--pdeathsig', 'KILL', '--', process.execPath, process.env.MCP_REMOTE, endpoint, process.env.CALLBACK_PORT],
  // It would open a browser by itself.
  env: { ...process.env, BROWSER: '/bin/true' },
  stderr: 'pipe',
});
transport.stderr.on('data', (chunk) => {
  const [url] = /https?:\S+\/oauth\/authorize\?\S+/.exec(String(chunk)) ?? [];
  if (url !== undefined) send(url);
});
const client = new Client({ name: 'tests', version: '1' });
await client.connect(transport);
const { tools } = await client.listTools();
await play(
  tools.map(({ name }) => name),
  (name, args) => client.callTool({ name, arguments: args }),
);
