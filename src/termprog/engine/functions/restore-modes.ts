import type { ControlSequence } from '../control-function.ts';

export const restoreModes: ControlSequence = {
  kind: 'csi',
  name: 'XTRESTORE, restore private modes',
  sequences: ['?r'],
  run: ({ modes }, parameters) => {
    for (let index = 0; index < parameters.length; index += 1) modes.restore(parameters.at(index));
  },
};
