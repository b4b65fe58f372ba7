import type { ControlSequence } from '../control-function.ts';

export const resetPrivateMode: ControlSequence = {
  kind: 'csi',
  name: 'DECRST, reset private mode',
  sequences: ['?l'],
  run: ({ modes }, parameters) => {
    for (let index = 0; index < parameters.length; index += 1) modes.setNumbered(parameters.at(index), true, false);
  },
};
