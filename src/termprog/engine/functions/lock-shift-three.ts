import type { EscapeSequence } from '../control-function.ts';

export const lockShiftThree: EscapeSequence = {
  kind: 'escape',
  name: 'LS3, locking shift three',
  sequences: ['o'],
  run: ({ screen }) => screen.charsets.shift(3),
};
