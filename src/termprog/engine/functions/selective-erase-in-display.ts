import type { ControlSequence } from '../control-function.ts';
import { eraseDisplay } from '../editing.ts';

export const selectiveEraseInDisplay: ControlSequence = {
  kind: 'csi',
  name: 'DECSED, selective erase in display',
  sequences: ['?J'],
  run: ({ screen }, parameters) => eraseDisplay(screen, parameters.at(0), true),
};
