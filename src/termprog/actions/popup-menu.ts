import type { Action } from '../ports/action.ts';

/** Shows a menu by its name. */
export const popupMenu: Action<'menus' | 'bell'> = {
  name: 'popup-menu',
  run: ({ menus, bell }, event, parameters) => {
    const [name, ...others] = parameters;
    if (name === undefined || others.length > 0) bell.ring();
    else menus.popup(name, event);
  },
};
