import type { EscapeSequence } from '../control-function.ts';

export const saveCursor: EscapeSequence = {
  kind: 'escape',
  name: 'DECSC, save cursor',
  sequences: ['7'],
  run: ({ screen }) => screen.saveCursor(),
};
