/**
 * Types the table of keys in xterm, in every mode, and writes what it sends: `node tests/harness/record-keys.ts`. Rows
 * of a mode that are as in a new terminal are left out.
 */
import { writeFileSync } from 'node:fs';
import { KEY_MODES } from './key-modes.ts';
import { type KeyTable, prepareKeyboard, typeTable } from './key-table.ts';
import { recordKeyboard } from './recorded-keyboard.ts';
import { startXDesktop, startXterm } from './start-termprog.ts';
import { openTerminalSocket, scriptOf } from './terminal-socket.ts';

const RECORDED_KEYS = 'tests/golden/termprog/keys/xterm-379.json';

/** The last lines of xterm's own translations, without those that take keys; modifiers count although they name one. */
const RESOURCES = [
  '*VT100.translations: #replace ~Meta <KeyPress>: insert-seven-bit()\\n Meta <KeyPress>: insert-eight-bit()',
  '*alwaysUseMods: true',
];

await using desktop = await startXDesktop();
await prepareKeyboard(desktop);
writeFileSync('tests/golden/termprog/keys/us.xkb', await recordKeyboard(desktop));
if (process.argv.includes('--keyboard')) process.exit();
const tables: Record<string, KeyTable> = {};
let first: KeyTable | undefined;
for (const { name, setup, xtermSetup, resources = [] } of KEY_MODES) {
  await using socket = await openTerminalSocket(desktop.folder);
  const args = [...resources, ...RESOURCES].flatMap((resource) => ['-xrm', resource]);
  await using terminal = await startXterm(desktop, { args, script: scriptOf(socket) });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  const table = await typeTable(desktop, socket, xtermSetup ?? setup);
  const isNew = ([key, sent]: [string, string[]]): boolean => JSON.stringify(first?.[key]) !== JSON.stringify(sent);
  tables[name] = Object.fromEntries(Object.entries(table).filter(isNew));
  first ??= table;
  process.stdout.write(`${name}: ${Object.keys(tables[name]).length} rows\n`);
}
const lines = Object.entries(tables).map(
  ([name, table]) =>
    `${JSON.stringify(name)}: {\n${Object.entries(table)
      .map(([key, sent]) => `  ${JSON.stringify(key)}: ${JSON.stringify(sent)}`)
      .join(',\n')}\n}`,
);
writeFileSync(RECORDED_KEYS, `{\n${lines.join(',\n')}\n}\n`);
