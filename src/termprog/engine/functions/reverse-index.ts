import type { EscapeSequence } from '../control-function.ts';

export const reverseIndex: EscapeSequence = {
  kind: 'escape',
  name: 'RI, reverse index',
  sequences: ['M'],
  run: ({ screen }) => screen.reverseIndex(),
};
