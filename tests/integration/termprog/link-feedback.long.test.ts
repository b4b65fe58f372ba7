import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { queryExtension } from '../../../src/termprog/x11/query-extension.ts';
import { listenForBell } from '../../harness/bell-listener.ts';
import { processorMsOf } from '../../harness/processor-time.ts';
import { restingPicture } from '../../harness/resting-picture.ts';
import {
  contentOf,
  type StartedTerminal,
  startTermprog,
  startXDesktop,
  type XDesktop,
} from '../../harness/start-termprog.ts';
import { openTestConnection } from '../../harness/test-connection.ts';

let desktop: XDesktop;

beforeAll(async () => {
  desktop = await startXDesktop();
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

const [COLUMNS, ROWS, CELL] = [80, 24, { width: 6, height: 13 }];
const BORDER = 2;

const link = (address: string, text: string): string => `\x1b]8;;${address}\x07${text}\x1b]8;;\x07`;

const pointTo = ({ window }: StartedTerminal, column: number, row: number): Promise<string> => {
  const [x, y] = [BORDER + CELL.width * column + 3, BORDER + CELL.height * row + 6];
  return desktop.run('xdotool', 'mousemove', '--window', `${window}`, `${x}`, `${y}`);
};
const shift = (how: 'keydown' | 'keyup'): Promise<string> => desktop.run('xdotool', how, 'Shift_L');

const waitForRow = (what: string, { screenshot }: StartedTerminal, row: number, wanted: string) =>
  waitFor(what, async () => rowOf(await screenshot(), row) === wanted);

test('while Shift is held over a link it is underlined, the pointer is a hand, and the bar says where it leads', async () => {
  const expected = await barWith('https://evil.example/a?b=1');
  const plain = `${link('https://evil.example/a?b=1', 'https://bank.example/')}, see`;
  await using pointer = await openPointerReader();
  await using terminal = await startShowing(plain);
  await pointTo(terminal, 3, 0);
  const before = await restingPicture(terminal);
  const [first, last] = [rowOf(before, 0), rowOf(before, ROWS - 1)];
  const arrow = await pointer.picture();
  await using underlined = await startShowing('\x1b[4mhttps://bank.example/\x1b[m, see');
  const firstUnderlined = rowOf(await restingPicture(underlined), 0);
  await underlined[Symbol.asyncDispose]();
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await pointTo(terminal, 3, 0);

  await shift('keydown');
  await waitForRow('the bar shows', terminal, ROWS - 1, expected);
  await waitForRow('the link is underlined', terminal, 0, firstUnderlined);
  await waitFor('the pointer changes', async () => (await pointer.picture()) !== arrow);

  await pointTo(terminal, 40, 5);
  await waitForRow('the bar goes beside the link', terminal, ROWS - 1, last);
  await waitFor('the pointer is as before', async () => (await pointer.picture()) === arrow);
  await pointTo(terminal, 5, 0);
  await waitForRow('the bar comes back with the pointer', terminal, ROWS - 1, expected);
  await shift('keyup');
  await waitForRow('the bar goes with Shift', terminal, ROWS - 1, last);
  await waitForRow('nothing is underlined', terminal, 0, first);
});

test('a visible address over several rows is a link as well; the bar of one in the last row is above', async () => {
  const address = `https://example.org/${'long/'.repeat(20)}`;
  const expected = await barWith(`${address.slice(0, COLUMNS - 3)}…`);
  await using terminal = await startShowing(`\x1b[${ROWS - 1};1H${address}`);
  await pointTo(terminal, 3, ROWS - 1);

  await shift('keydown');
  await waitForRow('the bar shows', terminal, 0, expected);
  await shift('keyup');
});

/** Processor time that a screen full of one link takes until the bar shows it, and its text has changed, in milliseconds. */
async function costOfShowing(address: string): Promise<number> {
  const expected = await barWith(`${address.slice(0, COLUMNS - 3)}…`);
  await using terminal = await startShowing(link(address, 'link '.repeat((COLUMNS * (ROWS - 1)) / 5)));
  const last = rowOf(await restingPicture(terminal), ROWS - 1);
  await pointTo(terminal, 3, 3);
  const before = processorMsOf(terminal.process.pid);
  await shift('keydown');
  await waitForRow('the bar shows', terminal, ROWS - 1, expected);
  await shift('keyup');
  await waitForRow('the bar goes', terminal, ROWS - 1, last);
  return processorMsOf(terminal.process.pid) - before;
}

test('a link to which an application gave thousands of fields does not hold up the terminal while it is shown', async () => {
  const address = `mailto:a@example.org?a=b${'&a='.repeat(20_000)}`;
  expect(await costOfShowing(address)).toBeLessThan(400);
});

test('a change under the pointer changes the bar, and losing the focus removes it', async () => {
  const [one, other] = [await barWith('https://one.example/'), await barWith('https://other.example/')];
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    args: ['-geometry', `${COLUMNS}x${ROWS}+0+0`],
    script: `printf '\\033[?25l${link('https://one.example', 'link').replaceAll('\x1b', '\\033').replaceAll('\x07', '\\a')}'
until [ -e ${file} ]; do sleep 0.1; done
printf '\\r${link('https://other.example', 'link').replaceAll('\x1b', '\\033').replaceAll('\x07', '\\a')}'; sleep 60`,
  });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await pointTo(terminal, 1, 0);
  const last = rowOf(await restingPicture(terminal), ROWS - 1);
  await shift('keydown');
  await waitForRow('the bar shows', terminal, ROWS - 1, one);
  writeFileSync(file, '');
  await waitForRow('the bar shows the other', terminal, ROWS - 1, other);

  await using elsewhere = await startShowing('elsewhere', { place: '-0-0' });
  await waitForRow('the bar goes with the focus', terminal, ROWS - 1, last);
  expect(elsewhere.window).not.toBe(terminal.window);
  await shift('keyup');
});

test('a refused link rings, and the window says why until a key is pressed', async () => {
  const reason = 'the link is not opened: "javascript:" is not one of http: https: mailto: ftp: file:';
  const expected = await barWith(`${reason.slice(0, COLUMNS - 3)}…`);
  await using terminal = await startShowing(link('javascript:alert(1)', 'link'));
  const last = rowOf(await restingPicture(terminal), ROWS - 1);
  await using bell = await listenForBell(desktop);
  await pointTo(terminal, 1, 0);
  await desktop.run('xdotool', 'keydown', 'shift', 'click', '1', 'keyup', 'shift');

  await bell.rings();
  await waitForRow('the reason shows', terminal, ROWS - 1, expected);
  await desktop.run('xdotool', 'key', 'x');
  await waitForRow('the reason goes', terminal, ROWS - 1, last);
});

test('a file that would be run is never given to the opener, and a long address is given whole or refused', async () => {
  const folder = `${desktop.newFile()}.bin`;
  const opened = desktop.newFile();
  mkdirSync(folder);
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" >> ${opened}\n`);
  chmodSync(join(folder, 'xdg-open'), 0o755);
  const entry = join(folder, 'hidden entry.desktop');
  writeFileSync(entry, '[Desktop Entry]\nExec=true\n');
  const address = `http://long.example/${'x'.repeat(5_000)}end`;
  const tooLong = `http://long.example/${'x'.repeat(70_000)}`;
  const links = [
    `file://${folder}/xdg-open`,
    `file://${folder}/hidden%20entry%2Edesktop`,
    tooLong,
    `https://osc8.example/${'y'.repeat(30_000)}`,
  ];
  const environment = { PATH: `${folder}:${process.env['PATH']}` };
  const click = async (terminal: StartedTerminal, row: number): Promise<void> => {
    await pointTo(terminal, 1, row);
    await desktop.run('xdotool', 'keydown', 'shift', 'click', '1', 'keyup', 'shift');
  };
  await using visible = await startShowing(address, { environment });
  await click(visible, 20);
  await waitFor('the long address is opened', () => contentOf(opened) !== '');
  await using terminal = await startShowing(links.map((to) => link(to, 'link')).join('\r\n'), { environment });
  for (const row of links.keys()) await click(terminal, row);

  await waitFor('the last one is opened', () => contentOf(opened).includes('osc8'));
  const lines = contentOf(opened).split('\n').slice(0, -1);
  expect(lines.map((line) => line.length)).toEqual([address.length, 30_021]);
  expect(lines[0]).toBe(address);
  const told = terminal.process.output();
  for (const reason of ['can be executed', 'the desktop would run', 'more than 65536 characters'])
    expect(told).toContain(reason);
});

/** Starts a terminal that shows a text; what is typed is not echoed. */
async function startShowing(
  text: string,
  { environment = {}, place = '+0+0' }: { environment?: Record<string, string>; place?: string } = {},
): Promise<StartedTerminal> {
  const file = desktop.newFile();
  writeFileSync(`${file}.text`, text);
  const terminal = await startTermprog(desktop, {
    args: ['-geometry', `${COLUMNS}x${ROWS}${place}`],
    script: `stty raw -echo; cat ${file}.text; printf '\\033[?25l\\033[6n'; dd bs=1 count=6 of=${file} 2>/dev/null; cat > /dev/null`,
    environment,
  });
  await waitFor('the text shows', () => contentOf(file).length >= 6, { process: terminal.process });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  return terminal;
}

/** The pixels of a row of cells, as text. */
function rowOf({ width, data }: PNG, row: number): string {
  const top = BORDER + row * CELL.height;
  return data.subarray(4 * top * width, 4 * (top + CELL.height) * width).toString('latin1');
}

/** Returns the look of a row that shows a text in the bar's way. */
async function barWith(text: string): Promise<string> {
  await using terminal = await startShowing(`\x1b[7m ${text.padEnd(COLUMNS - 1)}\x1b[m`);
  return rowOf(await restingPicture(terminal), 0);
}

/** The pointer's picture, as the server has it; XFIXES, GetCursorImage. */
async function openPointerReader() {
  const connection = await openTestConnection(desktop);
  const { x } = connection;
  const extension = await queryExtension(x, 'XFIXES');
  if (extension === undefined) throw new Error('the X server has no XFIXES');
  const request = (minor: number, ...words: number[]): Uint8Array => {
    const bytes = Buffer.alloc(4 + 4 * words.length);
    bytes.set([extension.majorOpcode, minor, 1 + words.length, 0]);
    for (const [index, word] of words.entries()) bytes.writeUInt32LE(word, 4 + 4 * index);
    return bytes;
  };
  await x.askBytes('XFIXES', request(0, 4, 0));
  return {
    // The picture begins behind the place of the pointer, which motions change: its size, its hot spot, its serial
    // number and its pixels.
    picture: async () => (await x.askBytes('the pointer', request(4))).subarray(24).toString('latin1'),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}
