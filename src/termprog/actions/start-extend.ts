import type { Action } from '../ports/action.ts';

/** Moves the nearer end of the selection to the pointer. */
export const startExtend: Action<'selection' | 'mouse'> = {
  name: 'start-extend',
  run: ({ selection, mouse }, event) => {
    if (!mouse.offer(event)) selection.startExtend(event);
  },
};
