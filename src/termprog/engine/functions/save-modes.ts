import type { ControlSequence } from '../control-function.ts';

export const saveModes: ControlSequence = {
  kind: 'csi',
  name: 'XTSAVE, save private modes',
  sequences: ['?s'],
  run: ({ modes }, parameters) => {
    for (let index = 0; index < parameters.length; index += 1) modes.save(parameters.at(index));
  },
};
