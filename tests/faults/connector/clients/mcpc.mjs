import { run, runForJson } from './command.mjs';
import { endpoint, play } from './person.mjs';

const mcpc = 'node_modules/@apify/mcpc/bin/mcpc';

await run(mcpc, 'login', endpoint);
await run(mcpc, 'connect', endpoint, '@homeport');
const listed = await runForJson(mcpc, '--json', '@homeport', 'tools-list');
await play(
  (listed.tools ?? listed).map(({ name }) => name),
  (name, args) => runForJson(mcpc, '--json', '@homeport', 'tools-call', name, JSON.stringify(args)),
  // Its sessions are processes of their own.
  () => run(mcpc, '@homeport', 'close'),
);
