import type { EscapeSequence } from '../control-function.ts';

export const keypadApplication: EscapeSequence = {
  kind: 'escape',
  name: 'DECKPAM, keypad application mode',
  sequences: ['='],
  run: ({ modes }) => modes.set('applicationKeypad', true),
};
