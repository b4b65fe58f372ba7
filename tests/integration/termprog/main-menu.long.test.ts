import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { readMenuRows } from '../../conformance/requirements/menu-entries.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { isChecked, isHighlighted, PLAIN_MENUS, postMenu } from '../../harness/shown-menu.ts';
import { startCompositor } from '../../harness/start-compositor.ts';
import { startTermprog } from '../../harness/start-termprog.ts';
import { openTestConnection } from '../../harness/test-connection.ts';
import { lookOf } from './menu-labels.ts';
import { chosenMode } from './menu-modes.ts';
import { countColor } from './pixels.ts';

const RED = 0xff0000;

test('entries of Main Options that are unavailable are grey, and cannot be highlighted', async ({ desktop }) => {
  verifies(
    'termprog.menu.main.toolbar',
    'termprog.menu.main.full-screen',
    'termprog.menu.main.secure-keyboard',
    'termprog.menu.main.allow-sendevents',
    'termprog.menu.main.log-to-file',
    'termprog.menu.main.8-bit-controls',
    'termprog.menu.main.meta-sends-escape',
    'termprog.menu.main.send-stop',
    'termprog.translation.exactly-Ctrl-with-Btn1Down',
  );
  await using connection = await openTestConnection(desktop);
  await using terminal = await startTermprog(desktop, { args: PLAIN_MENUS, script: 'sleep 60' });
  const menu = await postMenu(desktop, terminal, 'mainMenu');
  const picture = await menu.picture();

  for (const { entries, isUnavailable } of readMenuRows().filter((row) => row.menu === 'mainMenu')) {
    for (const { name, label, kind } of entries) {
      if (kind === 'slider') continue;
      const look = await lookOf(connection, picture, menu.topOf(name), label);
      expect([label, look]).toEqual([label, isUnavailable ? 'grey' : 'plain']);
    }
  }
  await menu.pointAt('quit');
  await waitFor('Quit is highlighted', async () => isHighlighted(await menu.picture(), menu.topOf('quit')));
  await menu.pointAt('kill');
  await waitFor('Quit is not', async () => !isHighlighted(await menu.picture(), menu.topOf('quit')));
  expect(isHighlighted(await menu.picture(), menu.topOf('kill'))).toBe(false);
  await menu.release();
});

test('Redraw Window paints over what another program has left in the window', async ({ desktop }) => {
  verifies('termprog.menu.main.redraw-window');
  await using terminal = await startTermprog(desktop, { args: PLAIN_MENUS, script: 'sleep 60' });
  await using connection = await openTestConnection(desktop);
  const { client } = connection.x;
  const gc = client.AllocID();
  client.CreateGC(gc, terminal.window, { foreground: RED });
  // The rectangle is beside the menu: the terminal paints again what the menu has covered anyway.
  client.PolyFillRectangle(terminal.window, gc, [400, 200, 60, 60]);
  const reds = async (): Promise<number> => countColor(await terminal.screenshot(), RED);
  await waitFor('the window is dirty', async () => (await reds()) > 3_000);

  await (await postMenu(desktop, terminal, 'mainMenu')).choose('redraw');

  await waitFor('it is clean', async () => (await reds()) === 0);
});

for (const [title, entry, mode] of [
  ['Backarrow Key', 'backarrow key', '?67'],
  ['Alt/NumLock Modifiers', 'num-lock', '?1035'],
  ['Alt Sends Escape', 'alt-esc', '?1039'],
] as const) {
  test(`${title} changes its mode, shows what applications make of it, and changes it back`, async ({ desktop }) => {
    verifies(
      'termprog.menu.main.backarrow-key',
      'termprog.menu.main.alt-numlock-modifiers',
      'termprog.menu.main.alt-sends-escape',
    );
    await chosenMode(desktop, { menu: 'mainMenu', entry, mode });
  });
}

test('the opacity slider follows the pointer and the arrow keys', async ({ desktop }) => {
  verifies('termprog.menu.main.opacity-slider');
  await using _compositor = await startCompositor(desktop);
  await using terminal = await startTermprog(desktop, { args: PLAIN_MENUS, script: 'sleep 60' });
  /** Premultiplied white of the window: its level is the opacity. */
  const level = async (): Promise<number> => (await terminal.screenshot()).data[200 * 484 * 4] ?? 0;
  await waitFor('the window is opaque', async () => (await level()) === 255);
  const menu = await postMenu(desktop, terminal, 'mainMenu');
  const right = menu.width - 32 - 4;

  await menu.pointAt('opacity', right);
  await menu.pointAt('opacity', right - 12);
  await waitFor('it is translucent before the button is let go', async () => (await level()) < 255);
  const dragged = await level();
  await desktop.run('xdotool', 'key', 'Left');
  await waitFor('the key takes a twentieth away', async () => Math.abs(dragged - (await level()) - 255 / 20) < 2);
  await desktop.run('xdotool', 'key', 'Right');
  await waitFor('the other key gives it back', async () => (await level()) === dragged);
  await menu.release();

  await waitFor('the menu is gone', async () => !(await menu.isShown()));
  expect(await level()).toBeLessThan(255);
});

test('without a compositor the opacity slider is grey, and dragging over it has no effect', async ({ desktop }) => {
  await using terminal = await startTermprog(desktop, { args: PLAIN_MENUS, script: 'sleep 60' });
  const menu = await postMenu(desktop, terminal, 'mainMenu');
  await menu.pointAt('opacity', menu.width - 40);
  await menu.pointAt('opacity', menu.width - 80);
  const picture = await menu.picture();
  expect(isHighlighted(picture, menu.topOf('opacity'))).toBe(false);
  expect(isChecked(picture, menu.topOf('opacity'))).toBe(false);
  await menu.release();
  await waitFor('the menu is gone', async () => !(await menu.isShown()));
  expect(countColor(await terminal.screenshot(), 0xffffff)).toBeGreaterThan(150_000);
});
