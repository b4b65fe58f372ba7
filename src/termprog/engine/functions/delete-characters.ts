import type { ControlSequence } from '../control-function.ts';
import { deleteCells } from '../editing.ts';

export const deleteCharacters: ControlSequence = {
  kind: 'csi',
  name: 'DCH, delete character',
  sequences: ['P'],
  run: ({ screen }, parameters) => deleteCells(screen, parameters.count(0)),
};
