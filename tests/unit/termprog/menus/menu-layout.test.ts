import { expect, test } from 'vitest';
import { command } from '../../../../src/termprog/menus/menu-entry.ts';
import { layOut } from '../../../../src/termprog/menus/menu-layout.ts';
import type { MenuLook } from '../../../../src/termprog/menus/resources/menu-look.ts';

const BLACK = { red: 0, green: 0, blue: 0 };
const SCREEN_HEIGHT = 1_000;

/** A menu of entries whose labels have this size. */
function lookOf(entries: number, { width, ascent }: { width: number; ascent: number }): MenuLook {
  const label = {
    ...{ runs: [], width, ascent, descent: 0, foreground: BLACK },
    ...{ leftMargin: 4, rightMargin: 4, vertSpace: 25 },
  };
  const looks = Array.from({ length: entries }, (_, index) => ({
    ...label,
    entry: command(`entry${index}`, `Entry ${index}`, () => {}),
  }));
  return {
    title: { ...label, width: 10, ascent: 10 },
    groups: [looks],
    ...{ lines: [], background: BLACK, border: BLACK, borderWidth: 1, rowHeight: 0, cursor: 68 },
    ...{ leftMargin: 0, rightMargin: 0, topMargin: 0, bottomMargin: 0 },
  };
}

test('columns that are together wider than a window can be are made narrower', () => {
  const { width, rows } = layOut(lookOf(40, { width: 1_000, ascent: 700 }), SCREEN_HEIGHT);

  expect(width).toBeLessThanOrEqual(32_000);
  expect(new Set(rows.map(({ area }) => area.x)).size).toBe(40);
  expect(rows.every(({ area }) => area.x + area.width <= width)).toBe(true);
});

test('a row that is higher than a window can be is refused', () => {
  const look = lookOf(1, { width: 10, ascent: 30_000 });
  expect(() => layOut(look, SCREEN_HEIGHT)).toThrow('its 18x37512 pixels are more than the 32767 of a window');
});
