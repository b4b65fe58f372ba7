import { expect } from 'vitest';
import type { MenuName } from '../../../src/termprog/menus/menu-entry.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { ENTRY_HEIGHT, PLAIN_MENUS, postMenu } from '../../harness/shown-menu.ts';
import { type StartedTerminal, startTermprog, startXterm } from '../../harness/start-termprog.ts';

/** A menu's pixels: the rows of the picture, without the right margin, where widths may differ. */
interface MenuPicture {
  rows: readonly string[];
  topOf(name: string): number;
}

/** Horizontal position right of the labels, in pixels. */
const RIGHT = 180;

async function pictureOf(terminal: StartedTerminal, menu: MenuName): Promise<MenuPicture> {
  const shown = await postMenu(desktop, terminal, menu);
  const { width, height, data } = await shown.picture();
  await shown.release();
  const row = (y: number): string => data.toString('latin1', y * width * 4, (y * width + RIGHT) * 4);
  return { rows: Array.from({ length: height }, (_, y) => row(y)), topOf: (name) => shown.topOf(name) };
}

/** The class defaults of the reference terminal are where its package puts them. */
const XTERM_DEFAULTS = { XFILESEARCHPATH: '/etc/X11/app-defaults/%N' };

/**
 * Resource that the option `-fn` sets, which tests give to xterm: it is for all of its menus, too, and wins against
 * class defaults.
 */
const EVERY_FONT = ['-xrm', 'term*font: fixed'];

/** Entries that both have in the same state, a grey one and one with a mark among them. */
const SAME = {
  mainMenu: ['redraw', 'backarrow key', 'num-lock', 'print-on-error', 'quit'],
  vtMenu: ['reversevideo', 'autowrap', 'appcursor', 'appkeypad', 'scrollkey', 'scrollttyoutput', 'selectToClipboard'],
  fontMenu: ['fontdefault', 'font1', 'font7', 'fontsel', 'render-font', 'utf8-title', 'allow-color-ops'],
} as const;

for (const menu of ['mainMenu', 'vtMenu', 'fontMenu'] as const) {
  test(`entries and lines of ${menu} are those of xterm in every pixel`, async () => {
    await using terminal = await startTermprog(desktop, { args: PLAIN_MENUS, script: 'sleep 60' });
    const ours = await pictureOf(terminal, menu);
    await using reference = await startXterm(desktop, {
      args: PLAIN_MENUS,
      environment: XTERM_DEFAULTS,
      script: 'sleep 60',
    });
    const theirs = await pictureOf(reference, menu);

    const isInTheirs = (rows: readonly string[]): boolean =>
      theirs.rows.some((_, y) => rows.every((row, index) => row === theirs.rows[y + index]));
    const missing = SAME[menu].filter((name) => {
      const top = ours.topOf(name);
      return !isInTheirs(ours.rows.slice(top, top + ENTRY_HEIGHT));
    });
    expect(missing).toEqual([]);
    // The line above a group, with the entry below it.
    const below = { mainMenu: 'quit', vtMenu: undefined, fontMenu: 'render-font' }[menu];
    if (below !== undefined)
      expect(isInTheirs(ours.rows.slice(ours.topOf(below) - 1, ours.topOf(below) + 8))).toBe(true);
  });
}

test('the title of the same menu stands at the same place, and is the same in every pixel', async () => {
  await using terminal = await startTermprog(desktop, { args: EVERY_FONT, script: 'sleep 60' });
  const ours = await pictureOf(terminal, 'vtMenu');
  await using reference = await startXterm(desktop, { environment: XTERM_DEFAULTS, script: 'sleep 60' });
  const theirs = await pictureOf(reference, 'vtMenu');

  // The compared rows include the first entry.
  expect(ours.rows.slice(0, 40).map((row, y) => row === theirs.rows[y])).toEqual(
    Array.from({ length: 40 }, () => true),
  );
});
