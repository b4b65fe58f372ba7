import type { ControlSequence } from '../control-function.ts';
import { eraseLine } from '../editing.ts';

export const eraseInLine: ControlSequence = {
  kind: 'csi',
  name: 'EL, erase in line',
  sequences: ['K'],
  run: ({ screen }, parameters) => eraseLine(screen, parameters.at(0), false),
};
