import type { ControlSequence } from '../control-function.ts';

export const setPrivateMode: ControlSequence = {
  kind: 'csi',
  name: 'DECSET, set private mode',
  sequences: ['?h'],
  run: ({ modes }, parameters) => {
    for (let index = 0; index < parameters.length; index += 1) modes.setNumbered(parameters.at(index), true, true);
  },
};
