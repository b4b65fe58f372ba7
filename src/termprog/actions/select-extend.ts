import type { Action } from '../ports/action.ts';

/** Extends the selection to the pointer. */
export const selectExtend: Action<'selection' | 'mouse'> = {
  name: 'select-extend',
  run: ({ selection, mouse }, event) => {
    // A selection that began locally ends locally, even if the application requests the mouse meanwhile.
    if (selection.isSelecting || !mouse.offer(event)) selection.extend(event);
  },
};
