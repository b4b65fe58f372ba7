import type { Action } from '../ports/action.ts';

/** Reports the pointer's motion to an application that requested it. */
export const mouseMotion: Action<'mouse'> = {
  name: 'mouse-motion',
  run: ({ mouse }, event) => mouse.report(event),
};
