import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { openInProcess } from '../../harness/open-in-process.ts';
import { countColor } from './pixels.ts';

/** Number of a window that no server has. */
const NO_SUCH_WINDOW = 0x1fff_fff0;

test('a thousand requests that the X server refuses are one line, and the terminal goes on', async ({ desktop }) => {
  await using terminal = await openInProcess(desktop, { script: "sleep 0.5; printf '\\033[41m     '; sleep 60" });
  for (let time = 0; time < 1_000; time += 1) terminal.connection.client.MapWindow(NO_SUCH_WINDOW);
  terminal.connection.flush();

  await waitFor('it goes on', async () => countColor(await terminal.screenshot(), 0xcd0000) > 100);

  expect(terminal.lines.filter((line) => line.includes('the X server refused a request'))).toHaveLength(1);
});
