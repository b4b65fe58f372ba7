import type { Action } from '../ports/action.ts';

/** Extends the selection to the pointer. */
export const selectExtend: Action<'selection' | 'mouse'> = {
  name: 'select-extend',
  run: ({ selection, mouse }, event) => {
    // What began here ends here, whatever the application asks for meanwhile.
    if (selection.isSelecting || !mouse.offer(event)) selection.extend(event);
  },
};
