import { expect, test } from 'vitest';
import { command, type MenuEntry } from '../../../../src/termprog/menus/menu-entry.ts';
import type { MenuLayout, PlacedEntry } from '../../../../src/termprog/menus/menu-layout.ts';
import { MenuPointer } from '../../../../src/termprog/menus/menu-pointer.ts';
import { PostedMenu } from '../../../../src/termprog/menus/posted-menu.ts';
import { event } from '../window/events.ts';
import { menuTargets } from './menu-targets.ts';

const KEYSYM = { return: 0xff0d, down: 0xff54 } as const;

const placed = (entry: MenuEntry, y: number): PlacedEntry => ({
  kind: 'entry',
  look: {
    entry,
    runs: [],
    width: 10,
    ascent: 8,
    descent: 2,
    foreground: { red: 0, green: 0, blue: 0 },
    leftMargin: 0,
    rightMargin: 0,
    vertSpace: 0,
  },
  area: { x: 0, y, width: 10, height: 10 },
});

test('Return does not choose an entry that has become insensitive since it was highlighted', () => {
  let isSensitive = true;
  const changing: MenuEntry = { ...command('changing', 'Changing', () => {}), isSensitive: () => isSensitive };
  const { ends, press } = post([changing, command('other', 'Other', () => {})]);
  press(KEYSYM.down);
  isSensitive = false;
  press(KEYSYM.return);
  expect(ends).toEqual([]);

  press(KEYSYM.down);
  press(KEYSYM.return);
  expect(ends).toEqual(['other']);
});

/** A menu of entries below each other. Keycodes are keysyms. */
function post(entries: readonly MenuEntry[]) {
  const targets = menuTargets();
  const layout: MenuLayout = {
    width: 10,
    height: 100,
    title: { x: 0, y: 0, width: 10, height: 10 },
    rows: entries.map((entry, index) => placed(entry, 10 + 10 * index)),
  };
  const ends: (string | undefined)[] = [];
  const menu = new PostedMenu({
    moveTo: () => {},
    left: 0,
    screen: { width: 100, height: 100 },
    layout,
    painter: { paint: () => {}, paintRow: () => {} },
    pointer: new MenuPointer(layout, targets, undefined, false),
    targets,
    keysym: (keycode) => keycode,
    onEnd: (chosen) => void ends.push(chosen?.name),
  });
  return { ends, press: (keycode: number) => menu.handlers['KeyPress']?.(event('KeyPress', { keycode, buttons: 0 })) };
}
