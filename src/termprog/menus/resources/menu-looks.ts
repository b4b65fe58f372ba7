import type { XConnection } from '../../x11/x-connection.ts';
import { type TextLocale, textLocaleOf } from '../../xresource/locale-charset.ts';
import type { ResourceLookup } from '../../xresource/lookup.ts';
import type { Menu } from '../menu-entry.ts';
import { LabelFonts } from '../text/label-fonts.ts';
import { BUILT_IN_RESOURCES } from './built-in-resources.ts';
import { loadMenuLook, type MenuLook } from './menu-look.ts';
import { WidgetResources } from './widget-resources.ts';

export interface LooksParts {
  connection: XConnection;
  resources: ResourceLookup;
  /** Name of the locale of menus. */
  locale(): string;
  warn(message: string): void;
}

const PLAIN_LOCALE: TextLocale = { name: 'C', charset: undefined };

/** Returns a loader of the looks of menus. It reads their resources and opens fonts when the first one is needed. */
export function menuLooks({ connection, resources, locale, warn }: LooksParts): (menu: Menu) => Promise<MenuLook> {
  const reported = new Set<string>();
  const refuse = (resource: string, value: string, expected: string, used: string): void => {
    // One resource line usually applies to all entries of all menus.
    const fault = `${resource.replace(/^[^*]*\*/, '')}: "${value}"`;
    if (reported.has(fault)) return;
    reported.add(fault);
    warn(`resource ${resource}: "${value}" is not ${expected}; ${used} is used`);
  };
  let localized: Pick<ResourceLookup, 'lookup'> | undefined;
  let fonts: LabelFonts | undefined;
  const find = (): Pick<ResourceLookup, 'lookup'> => {
    const name = locale();
    const found = textLocaleOf(name);
    if (found === undefined) refuse('menuLocale', name, 'the name of a locale, such as de_DE.UTF-8', 'C');
    return resources.inLocale(found ?? PLAIN_LOCALE, BUILT_IN_RESOURCES);
  };
  return (menu) => {
    localized ??= find();
    fonts ??= new LabelFonts(connection);
    const reversed = localized.lookup(['reverseVideo'], ['ReverseVideo']);
    return loadMenuLook(menu, {
      connection,
      fonts,
      resources: new WidgetResources(menu.name, localized, refuse),
      isReversed: /^(?:true|on|yes|1)$/i.test(reversed?.trim() ?? ''),
    });
  };
}
