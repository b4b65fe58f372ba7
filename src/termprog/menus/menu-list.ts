import { fontMenu } from './font-menu.ts';
import { mainMenu } from './main-menu.ts';
import type { Menu } from './menu-entry.ts';
import { vtMenu } from './vt-menu.ts';

/** All menus. @spec termprog#popup-menus */
export const menus: readonly Menu[] = [mainMenu, vtMenu, fontMenu];
