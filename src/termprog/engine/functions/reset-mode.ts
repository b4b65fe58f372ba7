import type { ControlSequence } from '../control-function.ts';

export const resetMode: ControlSequence = {
  kind: 'csi',
  name: 'RM, reset mode',
  sequences: ['l'],
  run: ({ modes }, parameters) => {
    for (let index = 0; index < parameters.length; index += 1) modes.setNumbered(parameters.at(index), false, false);
  },
};
