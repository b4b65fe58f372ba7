import type { ControlSequence } from '../control-function.ts';

export const columnAbsolute: ControlSequence = {
  kind: 'csi',
  name: 'CHA, cursor character absolute, and HPA, character position absolute',
  sequences: ['G', '`'],
  run: ({ screen }, parameters) => screen.moveToColumn(parameters.count(0) - 1),
};
