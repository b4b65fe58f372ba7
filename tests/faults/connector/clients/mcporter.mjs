import { run, runForJson } from './command.mjs';
import { endpoint, play } from './person.mjs';

const mcporter = 'node_modules/mcporter/dist/cli.js';

await run(mcporter, 'config', 'add', 'homeport', endpoint, '--auth', 'oauth', '--allow-http');
await run(mcporter, 'auth', 'homeport', '--no-browser');
const { tools } = await runForJson(mcporter, 'list', 'homeport', '--json');
await play(
  tools.map(({ name }) => name),
  (name, args) => runForJson(mcporter, 'call', `homeport.${name}`, '--args', JSON.stringify(args), '--output', 'json'),
);
