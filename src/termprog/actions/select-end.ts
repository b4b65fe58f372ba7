import type { Action } from '../ports/action.ts';

/** Ends a selection and publishes it. */
export const selectEnd: Action<'selection' | 'mouse'> = {
  name: 'select-end',
  run: ({ selection, mouse }, event, parameters) => {
    // What began here ends here, whatever the application asks for meanwhile.
    if (selection.isSelecting || !mouse.offer(event)) selection.end(event, parameters);
  },
};
