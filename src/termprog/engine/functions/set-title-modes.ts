import type { ControlSequence } from '../control-function.ts';

export const setTitleModes: ControlSequence = {
  kind: 'csi',
  name: 'XTSMTITLE, set title modes',
  sequences: ['>t'],
  run: ({ titleModes }, parameters) => {
    for (const mode of parameters.from(0)) titleModes.set(mode, true);
  },
};
