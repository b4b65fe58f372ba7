import type { Action } from '../ports/action.ts';
import { scrollDistance } from './scroll-distance.ts';

/** Shows newer lines. */
export const scrollForw: Action<'view' | 'bell'> = {
  name: 'scroll-forw',
  run: ({ view, bell }, _event, parameters) => {
    const lines = scrollDistance(parameters, view.rows);
    if (lines === undefined) bell.ring();
    else view.scrollBy(-lines);
  },
};
