import type { Action } from '../ports/action.ts';

/**
 * A link that is pressed is opened when the button is released on it. Moved on, and where there is no link, the pointer
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
