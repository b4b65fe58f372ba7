import type { Action } from '../ports/action.ts';
import { scrollDistance } from './scroll-distance.ts';

/** Shows older lines, or lets the application of the alternate screen do so. */
export const scrollBack: Action<'view' | 'bell' | 'mouse' | 'keys'> = {
  name: 'scroll-back',
  run: ({ view, bell, mouse, keys }, event, parameters) => {
    const lines = scrollDistance(parameters, view.rows);
    if (lines === undefined) bell.ring();
    else if (parameters.includes('m') && mouse.offer(event)) return;
    else if (!keys.scrollByKeys(lines)) view.scrollBy(lines);
  },
};
