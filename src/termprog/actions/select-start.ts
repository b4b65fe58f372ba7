import type { Action } from '../ports/action.ts';

/** Begins a selection at the pointer. */
export const selectStart: Action<'selection' | 'mouse' | 'bell'> = {
  name: 'select-start',
  run: ({ selection, mouse, bell }, event, parameters) => {
    if (mouse.offer(event)) return;
    const [form, ...others] = parameters;
    const isBlock = form?.toLowerCase() === 'block';
    if ((form !== undefined && !isBlock) || others.length > 0) bell.ring();
    else selection.start(event, isBlock);
  },
};
