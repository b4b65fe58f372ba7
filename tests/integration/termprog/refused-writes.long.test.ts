import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { restingPicture } from '../../harness/resting-picture.ts';
import { type StartedTerminal, startTermprog, type XDesktop } from '../../harness/start-termprog.ts';
import { openTerminalSocket, type TerminalSocket } from '../../harness/terminal-socket.ts';

const [COLUMNS, ROWS, CELL_HEIGHT, BORDER] = [80, 24, 13, 2];

const PERMISSION = 'an application may not copy: leave SetSelection out of *disallowedWindowOps';
const LENGTH = 'an application copied too much: *maxStringParse bounds the text';

const copyOf = (text: string): string => `\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`;

/** Writes output and returns the terminal's answers up to that to a request of its state: then all before was done. */
const write = (socket: TerminalSocket, output: string): Promise<string> =>
  socket.ask(`${output}\x1b[5n`, (answer) => answer.endsWith('\x1b[0n'));

for (const [what, args, sent, shown, told] of [
  ['that is not permitted', [], copyOf('secret'), PERMISSION, 'vt100.disallowedWindowOps refuses SetSelection'],
  [
    'refused by a wildcard, and longer than is read',
    ['-xrm', '*disallowedWindowOps: set*', '-xrm', '*maxStringParse: 8'],
    copyOf('a secret that is long'),
    PERMISSION,
    'vt100.disallowedWindowOps refuses SetSelection',
  ],
  [
    'that is too long',
    ['-xrm', '*allowWindowOps: true', '-xrm', '*maxStringParse: 8'],
    copyOf('a secret that is long'),
    LENGTH,
    'longer than the resource vt100.maxStringParse permits',
  ],
] as const) {
  test(`a copy ${what} is shown once in the window, with the resource to set`, async ({ desktop }) => {
    await using spoken = await startSpoken(desktop, args);
    const { socket, terminal } = spoken;
    const expected = await spoken.barWith(shown);
    const [first, last] = [await rowOf(terminal, 0), await rowOf(terminal, ROWS - 1)];
    expect(first).toBe(last);

    await write(socket, sent);
    await waitFor('the reason shows in the last row', async () => (await rowOf(terminal, ROWS - 1)) === expected);
    await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
    await waitFor('a key ends it, when it was there long enough', async () => {
      await desktop.run('xdotool', 'key', 'x');
      return (await rowOf(terminal, ROWS - 1)) === last;
    });

    await write(socket, `${sent}${sent}\x1b[1;1H#`);
    await waitFor('the later output shows', async () => (await rowOf(terminal, 0)) !== first);
    await restingPicture(terminal);
    expect(await rowOf(terminal, ROWS - 1)).toBe(last);
    const output = terminal.process.output();
    expect(output.split(told)).toHaveLength(2);
    expect(output).not.toContain('secret');
  });
}

test('where the cursor is in the last row, the reason is in the first', async ({ desktop }) => {
  await using spoken = await startSpoken(desktop);
  const { socket, terminal } = spoken;
  const expected = await spoken.barWith(PERMISSION);
  const last = await rowOf(terminal, ROWS - 1);

  await write(socket, `\x1b[${ROWS};1H${copyOf('text')}`);

  await waitFor('the reason shows in the first row', async () => (await rowOf(terminal, 0)) === expected);
  expect(await rowOf(terminal, ROWS - 1)).toBe(last);
  await write(socket, '\x1b[5;1H#');
  await restingPicture(terminal);
  expect([await rowOf(terminal, 0), await rowOf(terminal, ROWS - 1)]).toEqual([expected, last]);
});

/** The pixels of a row of cells, as text. */
async function rowOf({ screenshot }: Pick<StartedTerminal, 'screenshot'>, row: number): Promise<string> {
  const { width, data } = await screenshot();
  const top = BORDER + row * CELL_HEIGHT;
  return data.subarray(4 * top * width, 4 * (top + CELL_HEIGHT) * width).toString('latin1');
}

async function startSpoken(desktop: XDesktop, args: readonly string[] = []) {
  const socket = await openTerminalSocket(desktop.folder);
  const terminal = await startTermprog(desktop, {
    args: ['-geometry', `${COLUMNS}x${ROWS}+0+0`, ...args, '-e', ...socket.command],
  });
  await write(socket, '\x1b[?25l');
  return {
    socket,
    terminal,
    /** The row of the window as it is to be while a line lies over it. */
    barWith: async (text: string): Promise<string> => {
      await write(socket, `\x1b[7m ${text.padEnd(COLUMNS - 1)}\x1b[m`);
      await restingPicture(terminal);
      const row = await rowOf(terminal, 0);
      await write(socket, '\x1b[2J\x1b[H');
      await restingPicture(terminal);
      return row;
    },
    [Symbol.asyncDispose]: async () => {
      await terminal[Symbol.asyncDispose]();
      await socket[Symbol.asyncDispose]();
    },
  };
}
