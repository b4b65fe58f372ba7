import type { ControlSequence } from '../control-function.ts';

export const tabClear: ControlSequence = {
  kind: 'csi',
  name: 'TBC, tabulation clear',
  sequences: ['g'],
  run: ({ screen }, parameters) => {
    const which = parameters.at(0);
    if (which === 0) screen.tabStops.clear(screen.column);
    else if (which === 3) screen.tabStops.clearAll();
  },
};
