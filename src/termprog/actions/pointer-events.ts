import type { Action } from '../ports/action.ts';

/** Reports the button to an application that requested mouse events. */
const mousePress: Action<'mouse'> = {
  name: 'mouse-press',
  run: ({ mouse }, event) => mouse.report(event),
};

/** Reports the pointer's motion to an application that requested it. */
const mouseMotion: Action<'mouse'> = {
  name: 'mouse-motion',
  run: ({ mouse }, event) => mouse.report(event),
};

/**
 * Arms a pressed link, which opens when the button is released on it. If the pointer moves on, or there is no link, it
 * selects text.
 */
const hyperlinkStart: Action<'links' | 'mouse' | 'selection'> = {
  name: 'hyperlink-start',
  run: ({ links, mouse, selection }, event) => {
    if (mouse.offer(event)) return;
    links.arm(event);
    selection.start(event, false);
  },
};

/** Shows a menu by its name. */
const popupMenu: Action<'menus' | 'bell'> = {
  name: 'popup-menu',
  run: ({ menus, bell }, event, parameters) => {
    const [name, ...others] = parameters;
    if (name === undefined || others.length > 0) bell.ring();
    else menus.popup(name, event);
  },
};

/** Actions of the pointer, except selecting text and pasting. */
export const pointerEvents: readonly Action[] = [mousePress, mouseMotion, hyperlinkStart, popupMenu];
