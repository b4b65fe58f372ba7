import { readFileSync } from 'node:fs';
import type { MenuEntry, MenuName } from '../../../src/termprog/menus/menu-entry.ts';
import { menus } from '../../../src/termprog/menus/menu-list.ts';
import { readPageRows } from './page-rows.ts';

const PAGE = 'docs/specification/termprog.md';

/** The specification's name of a menu, and the one of its widget. */
const MENUS: readonly (readonly [title: string, name: MenuName, id: string])[] = [
  ['Main Options', 'mainMenu', 'main'],
  ['VT Options', 'vtMenu', 'vt'],
  ['VT Fonts', 'fontMenu', 'font'],
];

/** A row of the specification's lists of menus, with the entries it speaks of. */
export interface MenuRow {
  id: string;
  menu: MenuName;
  /** The page's name of each entry, which may be a part of its label. */
  items: readonly string[];
  isUnavailable: boolean;
  /** Entries in the order of the items, and as many; fewer at the end of a menu that has too few. */
  entries: readonly MenuEntry[];
}

/** Every row of the three lists in the page's order, side by side with the entries of the program. */
export function readMenuRows(): MenuRow[] {
  const lines = readFileSync(PAGE, 'utf8').split('\n');
  const ids = readPageRows().map(({ id }) => id);
  return MENUS.flatMap(([title, menu, short]) => {
    const list = lines.find((line) => line.startsWith(`${title}: `))?.slice(title.length + 2) ?? '';
    const rest = menus.find(({ name }) => name === menu)?.groups.flat() ?? [];
    const menuIds = ids.filter((id) => id.startsWith(`termprog.menu.${short}.`));
    return list
      .replace(/\.$/, '')
      .split('; ')
      .map((row, index) => {
        const items = itemsOf(row);
        const id = menuIds[index] ?? '';
        return { id, menu, items, isUnavailable: row.includes('unavailable)'), entries: rest.splice(0, items.length) };
      });
  });
}

/** `A, B and C Signal (all unavailable)` -> what each is called. */
function itemsOf(row: string): string[] {
  return (
    row
      .replace(/ \((?:all )?unavailable\)| \(adjusts .*\)| slider/g, '')
      // One of the entries has the word in its own name.
      .split(/, | and (?!Clear)/)
      .map((item) => item.trim())
  );
}
