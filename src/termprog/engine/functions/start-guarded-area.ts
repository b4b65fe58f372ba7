import { GUARDED } from '../cell.ts';
import type { EscapeSequence } from '../control-function.ts';

/** Protects the text that is written next from all erasure except selective erasure. */
export const startGuardedArea: EscapeSequence = {
  kind: 'escape',
  name: 'SPA, start of guarded area',
  sequences: ['V'],
  run: ({ screen }) => {
    screen.pen.protection |= GUARDED;
    screen.sparesGuarded = true;
  },
};
