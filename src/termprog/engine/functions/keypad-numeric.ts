import type { EscapeSequence } from '../control-function.ts';

export const keypadNumeric: EscapeSequence = {
  kind: 'escape',
  name: 'DECKPNM, keypad numeric mode',
  sequences: ['>'],
  run: ({ modes }) => modes.set('applicationKeypad', false),
};
