import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { openInProcess } from '../../harness/open-in-process.ts';
import { contentOf, startXDesktop } from '../../harness/start-termprog.ts';

/** A keycode, which has the letter q on the keyboard of test servers. */
const KEY = 24;

test('a keyboard that is set while the terminal starts has its new letters', async () => {
  await using desktop = await startXDesktop();
  const typed = desktop.newFile();
  await using terminal = await openInProcess(desktop, {
    script: `stty -icanon; touch ${typed}; exec cat > ${typed}`,
    meanwhile: () => desktop.run('xmodmap', '-e', `keycode ${KEY} = z Z`),
  });
  await waitFor('the terminal is there', async () => (await terminal.screenshot()).width > 0);

  await waitFor('a key arrives', async () => {
    await desktop.run('xdotool', 'key', '--window', `${terminal.window}`, `${KEY}`);
    return contentOf(typed) !== '';
  });

  expect(contentOf(typed)[0]).toBe('z');
});
