import type { ControlSequence } from '../control-function.ts';
import { eraseDisplay } from '../editing.ts';

export const eraseInDisplay: ControlSequence = {
  kind: 'csi',
  name: 'ED, erase in page',
  sequences: ['J'],
  run: ({ screen }, parameters) => eraseDisplay(screen, parameters.at(0), false),
};
