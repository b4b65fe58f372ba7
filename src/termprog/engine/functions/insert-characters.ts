import type { ControlSequence } from '../control-function.ts';
import { insertBlanks } from '../editing.ts';

export const insertCharacters: ControlSequence = {
  kind: 'csi',
  name: 'ICH, insert character',
  sequences: ['@'],
  run: ({ screen }, parameters) => insertBlanks(screen, parameters.count(0)),
};
