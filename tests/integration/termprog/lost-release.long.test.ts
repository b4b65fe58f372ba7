import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { startReportingTerminal } from '../../harness/reporting-terminal.ts';
import { contentOf, startTermprog } from '../../harness/start-termprog.ts';

/** Positions in the eleventh cell of the fourth row, and beside it. */
const PLACE = ['mousemove', '65', '45'];
const BESIDE = ['mousemove', '83', '45'];

const BUTTONS = '\x1b[?1000h\x1b[?1006h';

afterEach(async () => {
  await desktop.run('xdotool', 'mouseup', '1', 'mouseup', '2', 'mouseup', '3', 'keyup', 'ctrl', 'keyup', 'shift');
});

/** The window goes to another desktop for a moment, while the first button is let go. */
async function releaseElsewhere(window: number): Promise<void> {
  await desktop.run('xdotool', 'windowunmap', '--sync', `${window}`, 'mouseup', '1');
  await desktop.run('xdotool', 'windowmap', '--sync', `${window}`, 'windowfocus', '--sync', `${window}`);
}

test('a selection whose button is let go elsewhere has ended when the next button is pressed', async () => {
  await using terminal = await startReportingTerminal(desktop, startTermprog);
  await terminal.write('\x1b[4;1Hsome words that are selected');
  await desktop.run('xdotool', ...PLACE, 'mousedown', '1', ...BESIDE);
  await releaseElsewhere(terminal.window);
  await terminal.write(BUTTONS);

  expect(await terminal.reports(...PLACE, 'click', 1)).toBe('\x1b[<0;11;4M\x1b[<0;11;4m');
});

test('a link whose button is let go elsewhere is not opened by the next click', async () => {
  const file = desktop.newFile();
  const folder = `${file}.bin`;
  mkdirSync(folder);
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" >> ${file}\n`);
  chmodSync(join(folder, 'xdg-open'), 0o755);
  const link = (number: number): string => `\\033]8;;https://example.org/${number}\\a${'link'.repeat(10)}\\033]8;;\\a`;
  await using terminal = await startTermprog(desktop, {
    args: ['-geometry', '80x24+0+0'],
    script: `stty raw -echo; printf '\\r\\n\\n\\n${link(1)}\\r\\n\\n${link(2)}'; sleep 60`,
    environment: { PATH: `${folder}:${process.env['PATH']}` },
  });
  await desktop.run('xdotool', ...PLACE, 'keydown', 'shift', 'mousedown', '1', 'keyup', 'shift');
  await releaseElsewhere(terminal.window);

  await desktop.run('xdotool', ...PLACE, 'click', '1');

  const second = ['mousemove', '65', '71'];
  await desktop.run('xdotool', ...second, 'keydown', 'shift', 'click', '1', 'keyup', 'shift');
  await waitFor('the other link is opened', () => contentOf(file).includes('/2'), { process: terminal.process });
  expect(contentOf(file)).toBe('https://example.org/2\n');
});

test('after a button whose release is lost, the scrollbar obeys the next one', async () => {
  await using terminal = await startReportingTerminal(desktop, startTermprog, { args: ['-sb', '-bg', 'white'] });
  await terminal.write(Array.from({ length: 100 }, (_, line) => `${line}\r\n`).join(''));
  const upper = ['mousemove', '7', '150'];
  await desktop.run('xdotool', ...upper, 'mousedown', '2', 'sleep', '0.05');
  await desktop.run('xdotool', 'windowunmap', '--sync', `${terminal.window}`, 'mouseup', '2');
  await desktop.run(
    'xdotool',
    'windowmap',
    '--sync',
    `${terminal.window}`,
    'windowfocus',
    '--sync',
    `${terminal.window}`,
  );
  await terminal.write('');
  const before = await terminal.screenshot();

  await desktop.run('xdotool', ...upper, 'click', '3');
  await waitFor('it scrolls', async () => !(await terminal.screenshot()).data.equals(before.data));
});

test('an eighth button whose release is lost is reported as released', async () => {
  await using terminal = await startReportingTerminal(desktop, startTermprog);
  await terminal.write('\x1b[?1002h\x1b[?1006h');
  expect(await terminal.untilReport(...PLACE, 'mousedown', '8')).toBe('\x1b[<128;11;4M');
  const told = terminal.untilReport('windowunmap', '--sync', terminal.window, 'mouseup', '8');
  expect(await told).toBe('\x1b[<128;11;4m');
});
