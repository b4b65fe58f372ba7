import type { Action } from '../ports/action.ts';
import { scrollDistance } from './scroll-distance.ts';

/** Shows older lines. */
export const scrollBack: Action<'view' | 'bell' | 'mouse'> = {
  name: 'scroll-back',
  run: ({ view, bell, mouse }, event, parameters) => {
    const lines = scrollDistance(parameters, view.rows);
    if (lines === undefined) bell.ring();
    else if (!parameters.includes('m') || !mouse.offer(event)) view.scrollBy(lines);
  },
};
