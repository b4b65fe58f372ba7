import type { ControlSequence } from '../control-function.ts';
import { eraseCells } from '../editing.ts';

export const eraseCharacters: ControlSequence = {
  kind: 'csi',
  name: 'ECH, erase character',
  sequences: ['X'],
  run: ({ screen }, parameters) => {
    const { column, row, columns } = screen;
    screen.isWrapPending = false;
    eraseCells(screen, row, { start: column, end: Math.min(columns, column + parameters.count(0)) });
  },
};
