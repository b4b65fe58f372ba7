import type { Action } from '../ports/action.ts';

/** Reports the button to an application that requested mouse events. */
export const mousePress: Action<'mouse'> = {
  name: 'mouse-press',
  run: ({ mouse }, event) => mouse.report(event),
};
