import type { WireEvent } from 'x11';
import type { MenuEntry } from './menu-entry.ts';
import { type MenuKey, menuKeyOf } from './menu-keys.ts';
import type { MenuLayout, PlacedEntry } from './menu-layout.ts';
import type { MenuPainter } from './menu-painter.ts';
import type { MenuPointer } from './menu-pointer.ts';
import type { MenuTargets } from './menu-targets.ts';

export interface PostedParts {
  /** Moves the menu's left edge to a place of the screen. */
  moveTo(left: number): void;
  /** Position of the left edge on the screen. */
  left: number;
  screen: { width: number; height: number };
  layout: MenuLayout;
  painter: Pick<MenuPainter, 'paint' | 'paintRow'>;
  pointer: MenuPointer;
  targets: MenuTargets;
  keysym(keycode: number, state: number): number;
  /**
   * Closes the menu and handles the result.
   * @param key keycode of the key that ended it
   */
  onEnd(chosen: MenuEntry | undefined, key?: number): void;
}

/** Change of a slider by an arrow key. */
const SLIDER_STEP = 0.05;

/** A menu on the screen: turns events into highlighting and finally a choice. */
export class PostedMenu {
  readonly #parts: PostedParts;
  #active: PlacedEntry | undefined;
  #left: number;

  constructor(parts: PostedParts) {
    this.#parts = parts;
    this.#left = parts.left;
  }

  readonly handlers: Readonly<Record<string, (event: WireEvent) => void>> = {
    Expose: ({ count }) => {
      if (count === 0) this.#parts.painter.paint(this.#active);
    },
    MotionNotify: (event) => this.#point(event),
    EnterNotify: (event) => this.#point(event),
    LeaveNotify: (event) => this.#point(event),
    ButtonPress: (event) => {
      this.#parts.pointer.press(event.keycode, event);
      this.#point(event);
    },
    ButtonRelease: ({ keycode, x, y }) => {
      const outcome = this.#parts.pointer.release(keycode, { x, y });
      if (outcome.kind === 'cancel') this.#parts.onEnd(undefined);
      else if (outcome.kind === 'choose') this.#parts.onEnd(outcome.row.look.entry);
    },
    KeyPress: ({ keycode, buttons }) => {
      const key = menuKeyOf(this.#parts.keysym(keycode, buttons));
      if (key !== undefined) this.#press(key, keycode);
    },
    // Another program unmapped or destroyed it.
    UnmapNotify: () => this.#parts.onEnd(undefined),
    DestroyNotify: () => this.#parts.onEnd(undefined),
  };

  /** Shows values that have changed meanwhile. */
  refresh(): void {
    if (this.#active?.look.entry.kind === 'slider') this.#parts.painter.paintRow(this.#active, true);
  }

  #point(event: WireEvent): void {
    const { x, y, rootx, rooty } = event;
    this.#activate(this.#parts.pointer.move({ x, y }, { x: rootx, y: rooty }));
    this.#followEdge(rootx);
  }

  #press(key: MenuKey, keycode: number): void {
    const active = this.#active?.look.entry;
    // The entry may have become insensitive since it was highlighted.
    const entry = active?.isSensitive(this.#parts.targets) === true ? active : undefined;
    if (key === 'cancel') this.#parts.onEnd(undefined, keycode);
    else if (key === 'choose') {
      if (entry !== undefined) this.#parts.onEnd(entry, keycode);
    } else if (key === 'left' || key === 'right') {
      const by = key === 'left' ? -1 : 1;
      if (entry?.kind === 'slider') this.#slide(entry, by * SLIDER_STEP);
      else this.#moveAside(by);
    } else this.#moveTo(key);
  }

  #slide(entry: MenuEntry, by: number): void {
    const { targets } = this.#parts;
    const value = entry.value?.(targets) ?? 0;
    entry.slide?.(targets, Math.min(1, Math.max(0, value + by)));
    this.refresh();
  }

  #choosable(): PlacedEntry[] {
    const { layout, targets } = this.#parts;
    return layout.rows.filter((row): row is PlacedEntry => row.kind === 'entry' && row.look.entry.isSensitive(targets));
  }

  #moveTo(key: 'up' | 'down' | 'first' | 'last'): void {
    const rows = this.#choosable();
    const at = this.#active === undefined ? -1 : rows.indexOf(this.#active);
    const next = {
      up: at <= 0 ? rows.length - 1 : at - 1,
      down: (at + 1) % Math.max(1, rows.length),
      first: 0,
      last: rows.length - 1,
    }[key];
    this.#goTo(rows[next]);
  }

  /** Moves to the nearest entry of the next column. */
  #moveAside(by: -1 | 1): void {
    const rows = this.#choosable();
    const from = this.#active?.area;
    if (from === undefined) {
      this.#goTo(rows[0]);
      return;
    }
    const columns = [...new Set(rows.map(({ area }) => area.x))].sort((one, other) => one - other);
    const column = columns[columns.indexOf(from.x) + by];
    const [nearest] = rows
      .filter(({ area }) => area.x === column)
      .sort((one, other) => Math.abs(one.area.y - from.y) - Math.abs(other.area.y - from.y));
    if (nearest !== undefined) this.#goTo(nearest);
  }

  #goTo(row: PlacedEntry | undefined): void {
    this.#activate(row);
    if (row !== undefined) this.#reveal(row.area.x, row.area.width);
  }

  /** Scrolls a menu that is wider than the screen when the pointer is at the screen's edge. */
  #followEdge(rootX: number): void {
    const { screen, layout } = this.#parts;
    if (rootX >= screen.width - 1) this.#reveal(layout.width - 1, 1);
    else if (rootX <= 0) this.#reveal(0, 1);
  }

  /** Moves the window so that a part of it is on the screen. */
  #reveal(x: number, width: number): void {
    const { moveTo, screen } = this.#parts;
    const left = Math.max(-x, Math.min(this.#left, screen.width - (x + width)));
    if (left === this.#left) return;
    this.#left = left;
    moveTo(left);
  }

  #activate(row: PlacedEntry | undefined): void {
    const { painter } = this.#parts;
    const before = this.#active;
    if (before === row) {
      // A slider may have moved.
      this.refresh();
      return;
    }
    this.#active = row;
    if (before !== undefined) painter.paintRow(before, false);
    if (row !== undefined) painter.paintRow(row, true);
  }
}
