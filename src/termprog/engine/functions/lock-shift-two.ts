import type { EscapeSequence } from '../control-function.ts';

export const lockShiftTwo: EscapeSequence = {
  kind: 'escape',
  name: 'LS2, locking shift two',
  sequences: ['n'],
  run: ({ screen }) => screen.charsets.shift(2),
};
