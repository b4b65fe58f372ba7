import { existsSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { openInProcess } from '../../harness/open-in-process.ts';
import { openTestConnection } from '../../harness/test-connection.ts';

const TEXT = 0x102030;
const PAPER = 0xd0e0f0;
const BORDER = 0xff0000;
const COLORS = ['*foreground: #102030', '*background: #d0e0f0', '*borderColor: red', '*internalBorder: 4'];

test('the configured reversal, that of the screen and that of a cell undo each other, live and in any order', async ({
  desktop,
}) => {
  const file = desktop.newFile();
  const step = (number: number, text: string): string =>
    `while [ ! -e ${file}-${number} ]; do sleep 0.02; done; printf '${text}'; : > ${file}-${number}-done`;
  const script = `printf '\\033[?25l\\033[7m  \\033[m  '; ${step(1, '\\033[?5h')}; ${step(2, '\\033[?5l')}; sleep 60`;
  await using terminal = await openInProcess(desktop, { script, resources: [...COLORS, '*borderWidth: 3'] });
  await using connection = await openTestConnection(desktop);
  const pixel = (x: number, y: number): Promise<number> => connection.pixelAt(terminal.window, x, y);
  /** The padding, a plain cell, and a reversed one. */
  const shows = (isReversed: boolean): Promise<unknown> =>
    waitFor(`the screen is ${isReversed ? 'reversed' : 'as configured'}`, async () => {
      const [paper, text] = isReversed ? [TEXT, PAPER] : [PAPER, TEXT];
      return (await pixel(1, 1)) === paper && (await pixel(20, 10)) === paper && (await pixel(6, 10)) === text;
    });
  const write = async (number: number): Promise<void> => {
    writeFileSync(`${file}-${number}`, '');
    await waitFor('it was written', () => existsSync(`${file}-${number}-done`));
  };
  await shows(false);

  terminal.options.set('reverseVideo', true);
  await shows(true);
  await write(1);
  await shows(false);
  terminal.options.set('reverseVideo', false);
  await shows(true);
  await write(2);
  await shows(false);

  // The border of the window has a colour of its own.
  expect(await connection.pixelAt(terminal.connection.screen.root, 1, 1)).toBe(BORDER);
});
