import type { Action } from '../ports.ts';
import { scrollDistance } from './scroll-distance.ts';

/** Shows newer lines. */
export const scrollForw: Action = {
  name: 'scroll-forw',
  run: (port, _event, parameters) => {
    const lines = scrollDistance(parameters, port.rows);
    if (lines === undefined) port.bell();
    else port.scrollBy(-lines);
  },
};
