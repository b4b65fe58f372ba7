import type { ControlSequence } from '../control-function.ts';
import { eraseLine } from '../editing.ts';

export const selectiveEraseInLine: ControlSequence = {
  kind: 'csi',
  name: 'DECSEL, selective erase in line',
  sequences: ['?K'],
  run: ({ screen }, parameters) => eraseLine(screen, parameters.at(0), true),
};
