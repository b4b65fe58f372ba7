import type { Action } from '../ports/action.ts';
import { scrollDistance } from './scroll-distance.ts';

/** Shows older lines. */
export const scrollBack: Action<'view' | 'bell'> = {
  name: 'scroll-back',
  run: ({ view, bell }, _event, parameters) => {
    const lines = scrollDistance(parameters, view.rows);
    if (lines === undefined) bell.ring();
    else view.scrollBy(lines);
  },
};
