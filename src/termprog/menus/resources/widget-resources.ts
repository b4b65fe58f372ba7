import type { ResourceLookup } from '../../xresource/lookup.ts';
import type { MenuName } from '../menu-entry.ts';

/** Classes of a menu's widgets; X Athena Widgets, SimpleMenu. */
export type WidgetClass = 'SmeBSB' | 'SmeLine';

/** A widget below the menu; undefined means the menu itself. */
export interface MenuChild {
  name: string;
  class: WidgetClass;
}

/** Largest accepted number of pixels, or percent. */
const NUMBER_MAX = 4_096;

/**
 * Resources of one menu and of its widgets. An unusable value is reported once, regardless of the number of its
 * entries.
 */
export class WidgetResources {
  readonly #menu: MenuName;
  readonly #resources: Pick<ResourceLookup, 'lookup'>;
  readonly #refuse: (resource: string, value: string, expected: string, used: string) => void;

  constructor(
    menu: MenuName,
    resources: Pick<ResourceLookup, 'lookup'>,
    refuse: (resource: string, value: string, expected: string, used: string) => void,
  ) {
    this.#menu = menu;
    this.#resources = resources;
    this.#refuse = refuse;
  }

  /** @param name of the resource, with its class */
  text([name, className]: readonly [string, string], child?: MenuChild): string | undefined {
    const names = child === undefined ? [] : [child.name];
    const classes = child === undefined ? [] : [child.class];
    return this.#resources.lookup([this.#menu, ...names, name], ['SimpleMenu', ...classes, className]);
  }

  /** Returns a whole number that is not negative. */
  number(resource: readonly [string, string], fallback: number, child?: MenuChild): number {
    const text = this.text(resource, child)?.trim();
    if (text === undefined || text === '') return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value <= NUMBER_MAX) return value;
    this.refuse(resource[0], text, `a whole number from 0 to ${NUMBER_MAX}`, `${fallback}`);
    return fallback;
  }

  refuse(resource: string, value: string, expected: string, used: string): void {
    this.#refuse(`${this.#menu}*${resource}`, value, expected, used);
  }
}
