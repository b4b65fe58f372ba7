import type { ControlSequence } from '../control-function.ts';

export const saveCursorPosition: ControlSequence = {
  kind: 'csi',
  name: 'SCOSC, save cursor position',
  sequences: ['s'],
  run: ({ screen }) => screen.saveCursor(),
};
