import type { ControlSequence } from '../control-function.ts';

export const attributeExtent: ControlSequence = {
  kind: 'csi',
  name: 'DECSACE, select attribute change extent',
  sequences: ['*x'],
  level: 4,
  run: (state, parameters) => {
    const extent = parameters.at(0);
    if (extent <= 2) state.attributeExtent = extent === 2 ? 'rectangle' : 'stream';
  },
};
