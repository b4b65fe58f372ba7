import type { Action } from '../ports.ts';
import { scrollDistance } from './scroll-distance.ts';

/** Shows older lines. */
export const scrollBack: Action = {
  name: 'scroll-back',
  run: (port, _event, parameters) => {
    const lines = scrollDistance(parameters, port.rows);
    if (lines === undefined) port.bell();
    else port.scrollBy(lines);
  },
};
