import type { EscapeSequence } from '../control-function.ts';

export const tabSet: EscapeSequence = {
  kind: 'escape',
  name: 'HTS, character tabulation set',
  sequences: ['H'],
  run: ({ screen }) => screen.tabStops.set(screen.column),
};
