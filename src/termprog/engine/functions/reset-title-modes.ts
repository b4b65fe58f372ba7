import type { ControlSequence } from '../control-function.ts';

export const resetTitleModes: ControlSequence = {
  kind: 'csi',
  name: 'XTRMTITLE, reset title modes',
  sequences: ['>T'],
  run: ({ titleModes }, parameters) => {
    for (const mode of parameters.from(0)) titleModes.set(mode, false);
  },
};
