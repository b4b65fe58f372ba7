import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { isChecked, isHighlighted, PLAIN_MENUS, postMenu } from '../../harness/shown-menu.ts';
import { startTermprog } from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

/** Width of the scrollbar with its border, in pixels. */
const SCROLLBAR = 15;

test('a menu that is released outside of it has no effect', async ({ desktop }) => {
  verifies('termprog.action.popup-menu');
  await using terminal = await startTermprog(desktop, { args: PLAIN_MENUS, script: 'sleep 60' });
  const menu = await postMenu(desktop, terminal, 'vtMenu');
  await menu.pointAt('reversevideo');
  await waitFor('the entry is highlighted', async () =>
    isHighlighted(await menu.picture(), menu.topOf('reversevideo')),
  );
  await desktop.run('xdotool', 'mousemove', `${menu.x + menu.width + 60}`, `${menu.y + 60}`);
  await waitFor(
    'no entry is highlighted',
    async () => !isHighlighted(await menu.picture(), menu.topOf('reversevideo')),
  );

  await menu.release();

  await waitFor('the menu is gone', async () => !(await menu.isShown()));
  expect(countColor(await terminal.screenshot(), 0)).toBeLessThan(150_000);
});

test('Enable Scrollbar shows a scrollbar, and a mark', async ({ desktop }) => {
  verifies('termprog.menu.vt.enable-scrollbar');
  await using terminal = await startTermprog(desktop, { args: PLAIN_MENUS, script: 'sleep 60' });
  const { width } = await terminal.screenshot();
  const menu = await postMenu(desktop, terminal, 'vtMenu');
  expect(isChecked(await menu.picture(), menu.topOf('scrollbar'))).toBe(false);

  await menu.choose('scrollbar');
  await waitFor('the window has room for it', async () => (await terminal.screenshot()).width === width + SCROLLBAR);

  const again = await postMenu(desktop, terminal, 'vtMenu');
  expect(isChecked(await again.picture(), again.topOf('scrollbar'))).toBe(true);
  await again.release();
});

test('Quit closes the window, and the terminal ends with status 0', async ({ desktop }) => {
  verifies('termprog.menu.main.quit');
  await using terminal = await startTermprog(desktop, { args: PLAIN_MENUS, script: 'sleep 60' });
  const menu = await postMenu(desktop, terminal, 'mainMenu');

  await menu.choose('quit');

  expect((await terminal.process.ended).exitCode).toBe(0);
});
