import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KEY_MODES } from '../../harness/key-modes.ts';
import { type KeyTable, prepareKeyboard, typeTable } from '../../harness/key-table.ts';
import { startTermprog, startXDesktop } from '../../harness/start-termprog.ts';
import { openTerminalSocket, scriptOf } from '../../harness/terminal-socket.ts';

const recorded = JSON.parse(readFileSync('tests/golden/termprog/keys/xterm-379.json', 'utf8')) as Record<
  string,
  KeyTable
>;

/** Resource with which no translation takes a key. */
const ALL_KEYS = ['-xrm', '*VT100.translations: #replace <KeyPress>: insert-seven-bit()'];

/** Modes that differ in what the window does with keys; every mode is compared in recorded-keys.test.ts below unit. */
const TYPED_MODES = ['new', 'application keypad', 'modifyOtherKeys 2'];

for (const { name, setup } of KEY_MODES.filter((mode) => TYPED_MODES.includes(mode.name))) {
  test(`typed keys send what they send in xterm: ${name}`, async () => {
    await using desktop = await startXDesktop();
    await prepareKeyboard(desktop);
    await using socket = await openTerminalSocket(desktop.folder);
    await using terminal = await startTermprog(desktop, { args: ALL_KEYS, script: scriptOf(socket) });
    await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);

    const sent = await typeTable(desktop, socket, setup);

    const { Cyrillic_zhe, EuroSign, ...comparable } = sent;
    expect({ ...recorded['new'], ...recorded[name] }).toMatchObject(comparable);
  });
}
