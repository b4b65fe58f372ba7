import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { askManager, startWindowManager } from '../../harness/openbox.ts';
import { contentOf, startTermprog } from '../../harness/start-termprog.ts';

test('a resized window has whole cells', async ({ desktop }) => {
  await using _manager = await startWindowManager(desktop);
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    script: `while :; do stty size > ${file}.new; mv ${file}.new ${file}; sleep 0.02; done`,
    args: ['-geometry', '40x10+0+0'],
  });

  // The window is far larger than 70 columns and 20 rows, but smaller than 71 and 21.
  await desktop.run('xdotool', 'windowsize', `${terminal.window}`, `${4 + 6 * 70 + 5}`, `${4 + 13 * 20 + 12}`);

  await waitFor('the size is told', () => contentOf(file) === '20 70\n');
  const shape = await desktop.run('xwininfo', '-id', `${terminal.window}`);
  expect(shape).toContain(`Width: ${4 + 6 * 70}\n`);
  expect(shape).toContain(`Height: ${4 + 13 * 20}\n`);
});

test('the close button ends the terminal with status 0', async ({ desktop }) => {
  await using _manager = await startWindowManager(desktop);
  await using terminal = await startTermprog(desktop, { script: 'sleep 60' });

  await askManager(desktop.environment, terminal.window, '_NET_CLOSE_WINDOW', [0, 2]);

  expect((await terminal.process.ended).exitCode).toBe(0);
});
