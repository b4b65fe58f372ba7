import type { ControlSequence } from '../control-function.ts';

export const setMode: ControlSequence = {
  kind: 'csi',
  name: 'SM, set mode',
  sequences: ['h'],
  run: ({ modes }, parameters) => {
    for (let index = 0; index < parameters.length; index += 1) modes.setNumbered(parameters.at(index), false, true);
  },
};
