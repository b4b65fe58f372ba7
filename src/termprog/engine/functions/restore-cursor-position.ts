import type { ControlSequence } from '../control-function.ts';

export const restoreCursorPosition: ControlSequence = {
  kind: 'csi',
  name: 'SCORC, restore cursor position',
  sequences: ['u'],
  run: (state) => state.restoreCursor(),
};
