import { GUARDED } from '../cell.ts';
import type { EscapeSequence } from '../control-function.ts';

export const endGuardedArea: EscapeSequence = {
  kind: 'escape',
  name: 'EPA, end of guarded area',
  sequences: ['W'],
  run: ({ screen }) => {
    screen.pen.protection &= ~GUARDED;
  },
};
