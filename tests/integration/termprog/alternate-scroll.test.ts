import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { startReportingTerminal } from '../../harness/reporting-terminal.ts';
import { startTermprog, startXterm } from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

const PLACE = ['mousemove', 65, 45];
const ALTERNATE = '\x1b[?1049h';

/** Keys that a turn of the wheel sends -> output that selects the screen and the modes. */
const CASES = [
  ['cursor keys', ALTERNATE],
  ['those of applications', `${ALTERNATE}\x1b[?1h`],
  ['nothing once the application has ended it', `${ALTERNATE}\x1b[?1007l`],
  ['cursor keys where it is restored', `${ALTERNATE}\x1b[?1007s\x1b[?1007l\x1b[?1007r`],
  ['cursor keys after a soft reset', `${ALTERNATE}\x1b[!p`],
  ['nothing on the main screen', ''],
] as const;

test('the wheel sends to the alternate screen what it sends in xterm', async ({ desktop }) => {
  await using ours = await startReportingTerminal(desktop, startTermprog);
  const told = async (terminal: typeof ours): Promise<string[]> => {
    const answers: string[] = [];
    for (const [, output] of CASES) {
      const mode = await terminal.write(`\x1bc\x1b[?1007h${output}\x1b[?1007$p`);
      answers.push(mode, await terminal.reports(...PLACE, 'click', 4), await terminal.reports('click', 5));
      answers.push(await terminal.reports('key', 'shift+Prior'));
    }
    return answers;
  };
  const seen = await told(ours);
  await ours[Symbol.asyncDispose]();
  await using reference = await startReportingTerminal(desktop, startXterm);
  expect(seen).toEqual(await told(reference));
  expect(seen.slice(0, 4)).toEqual(['\x1b[?1007;1$y', '\x1b[A'.repeat(5), '\x1b[B'.repeat(5), '\x1b[A'.repeat(12)]);
});

test('the wheel is the application’s where that asks for it, and local where the resource says so', async ({
  desktop,
}) => {
  await using terminal = await startReportingTerminal(desktop, startTermprog, {
    args: ['-xrm', '*alternateScroll: false'],
  });
  expect(await terminal.write(`${ALTERNATE}\x1b[?1007$p`)).toBe('\x1b[?1007;2$y');
  expect(await terminal.reports(...PLACE, 'click', 4)).toBe('');
  await terminal.write('\x1b[?1007h\x1b[?1000h\x1b[?1006h');
  expect(await terminal.reports('click', 4)).toBe('\x1b[<64;11;4M');
  await terminal.write('\x1bc');
  expect(await terminal.write('\x1b[?1007$p')).toBe('\x1b[?1007;2$y');
});

test('the wheel moves through a file in less', async ({ desktop }) => {
  const file = join(desktop.folder, 'long.txt');
  const lines = Array.from({ length: 100 }, (_, index) => (index === 27 ? '\x1b[41m          \x1b[m' : `${index}`));
  writeFileSync(file, lines.join('\n'));
  await using terminal = await startTermprog(desktop, {
    args: ['-geometry', '80x24+0+0'],
    script: `LESS= less -R ${file}`,
  });
  const red = async (): Promise<number> => countColor(await terminal.screenshot(), 0xcd0000);
  await waitFor('less shows the file', async () => countColor(await terminal.screenshot(), 0) > 100);
  await desktop.run('xdotool', 'mousemove', '65', '45', 'click', '5');
  await waitFor('the line that was below the window shows', async () => (await red()) > 100);
  await desktop.run('xdotool', 'click', '4');
  await waitFor('it is below the window again', async () => (await red()) === 0);
});
