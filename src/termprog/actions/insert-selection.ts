import type { Action } from '../ports/action.ts';

/** Pastes the named selections. */
export const insertSelection: Action<'selection' | 'mouse'> = {
  name: 'insert-selection',
  run: ({ selection, mouse }, event, parameters) => {
    if (!mouse.offer(event)) selection.insert(parameters);
  },
};
