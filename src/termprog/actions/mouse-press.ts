import type { Action } from '../ports/action.ts';

/** Reports the button to an application that wants to be told of the mouse. */
export const mousePress: Action<'mouse'> = {
  name: 'mouse-press',
  run: ({ mouse }, event) => mouse.report(event),
};
