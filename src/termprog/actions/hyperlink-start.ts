import type { Action } from '../ports/action.ts';

/**
 * Arms a pressed link, which opens when the button is released on it. If the pointer moves on, or there is no link, it
 * selects text.
 */
export const hyperlinkStart: Action<'links' | 'mouse' | 'selection'> = {
  name: 'hyperlink-start',
  run: ({ links, mouse, selection }, event) => {
    if (mouse.offer(event)) return;
    links.arm(event);
    selection.start(event, false);
  },
};
