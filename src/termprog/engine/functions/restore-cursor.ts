import type { EscapeSequence } from '../control-function.ts';

export const restoreCursor: EscapeSequence = {
  kind: 'escape',
  name: 'DECRC, restore cursor',
  sequences: ['8'],
  run: (state) => state.restoreCursor(),
};
