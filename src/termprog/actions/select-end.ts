import type { Action } from '../ports/action.ts';

/** Ends a selection and publishes it. */
export const selectEnd: Action<'selection' | 'mouse'> = {
  name: 'select-end',
  run: ({ selection, mouse }, event, parameters) => {
    // A selection that began locally ends locally, even if the application requests the mouse meanwhile.
    if (selection.isSelecting || !mouse.offer(event)) selection.end(event, parameters);
  },
};
