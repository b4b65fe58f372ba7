import type { ControlFunction } from '../control-function.ts';
import { deleteCells, insertBlanks, shiftColumns } from '../editing.ts';

/** Insertion and deletion of characters, lines and columns. */
export const insertionAndDeletion: readonly ControlFunction[] = [
  {
    kind: 'csi',
    name: 'ICH, insert character',
    sequences: ['@'],
    run: ({ screen }, parameters) => insertBlanks(screen, parameters.count(0)),
  },
  {
    kind: 'csi',
    name: 'DCH, delete character',
    sequences: ['P'],
    run: ({ screen }, parameters) => deleteCells(screen, parameters.count(0)),
  },
  {
    kind: 'csi',
    name: 'IL, insert line',
    sequences: ['L'],
    run: ({ screen }, parameters) => screen.insertLines(parameters.count(0)),
  },
  {
    kind: 'csi',
    name: 'DL, delete line',
    sequences: ['M'],
    run: ({ screen }, parameters) => screen.insertLines(-parameters.count(0)),
  },
  {
    kind: 'csi',
    name: 'DECIC, insert column',
    sequences: ["'}"],
    level: 4,
    run: ({ screen }, parameters) => {
      if (screen.isBetweenMargins) shiftColumns(screen, { from: screen.column, by: parameters.count(0) });
    },
  },
  {
    kind: 'csi',
    name: 'DECDC, delete column',
    sequences: ["'~"],
    level: 4,
    run: ({ screen }, parameters) => {
      if (screen.isBetweenMargins) shiftColumns(screen, { from: screen.column, by: -parameters.count(0) });
    },
  },
];
