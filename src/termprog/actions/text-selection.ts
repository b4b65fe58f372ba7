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

/** Extends the selection to the pointer. */
export const selectExtend: Action<'selection' | 'mouse'> = {
  name: 'select-extend',
  run: ({ selection, mouse }, event) => {
    // A selection that began locally ends locally, even if the application requests the mouse meanwhile.
    if (selection.isSelecting || !mouse.offer(event)) selection.extend(event);
  },
};

/** Ends a selection and publishes it. */
export const selectEnd: Action<'selection' | 'mouse'> = {
  name: 'select-end',
  run: ({ selection, mouse }, event, parameters) => {
    // A selection that began locally ends locally, even if the application requests the mouse meanwhile.
    if (selection.isSelecting || !mouse.offer(event)) selection.end(event, parameters);
  },
};

/** Moves the nearer end of the selection to the pointer. */
export const startExtend: Action<'selection' | 'mouse'> = {
  name: 'start-extend',
  run: ({ selection, mouse }, event) => {
    if (!mouse.offer(event)) selection.startExtend(event);
  },
};

/** Pastes the named selections. */
export const insertSelection: Action<'selection' | 'mouse'> = {
  name: 'insert-selection',
  run: ({ selection, mouse }, event, parameters) => {
    if (!mouse.offer(event)) selection.insert(parameters);
  },
};

/** Actions that select text and paste it. */
export const textSelection: readonly Action[] = [selectStart, selectExtend, selectEnd, startExtend, insertSelection];
