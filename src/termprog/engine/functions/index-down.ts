import type { EscapeSequence } from '../control-function.ts';

export const indexDown: EscapeSequence = {
  kind: 'escape',
  name: 'IND, index',
  sequences: ['D'],
  run: ({ screen }) => screen.index(),
};
