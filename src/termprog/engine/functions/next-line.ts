import type { EscapeSequence } from '../control-function.ts';

export const nextLine: EscapeSequence = {
  kind: 'escape',
  name: 'NEL, next line',
  sequences: ['E'],
  run: ({ screen }) => {
    screen.index();
    screen.carriageReturn();
  },
};
