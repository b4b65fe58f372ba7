import type { ControlFunction } from '../control-function.ts';

/** Moves of the cursor, and its saved place. */
export const cursorMovement: readonly ControlFunction[] = [
  {
    kind: 'csi',
    name: 'CUP, cursor position, and HVP, character and line position',
    sequences: ['H', 'f'],
    run: ({ screen }, parameters) => screen.moveToAddress(parameters.count(1) - 1, parameters.count(0) - 1),
  },
  {
    kind: 'csi',
    name: 'CUU, cursor up',
    sequences: ['A'],
    run: ({ screen }, parameters) => screen.moveUp(parameters.count(0)),
  },
  {
    kind: 'csi',
    name: 'CUD, cursor down',
    sequences: ['B'],
    run: ({ screen }, parameters) => screen.moveUp(-parameters.count(0)),
  },
  {
    kind: 'csi',
    name: 'CUF, cursor right',
    sequences: ['C'],
    run: ({ screen }, parameters) => screen.moveRight(parameters.count(0)),
  },
  {
    kind: 'csi',
    name: 'CUB, cursor left',
    sequences: ['D'],
    run: ({ screen }, parameters) => screen.moveLeft(parameters.count(0)),
  },
  {
    kind: 'csi',
    name: 'CNL, cursor next line',
    sequences: ['E'],
    run: ({ screen }, parameters) => {
      screen.moveUp(-parameters.count(0));
      screen.carriageReturn();
    },
  },
  {
    kind: 'csi',
    name: 'CPL, cursor preceding line',
    sequences: ['F'],
    run: ({ screen }, parameters) => {
      screen.moveUp(parameters.count(0));
      screen.carriageReturn();
    },
  },
  {
    kind: 'csi',
    name: 'CHA, cursor character absolute, and HPA, character position absolute',
    sequences: ['G', '`'],
    run: ({ screen }, parameters) => screen.moveToColumn(parameters.count(0) - 1),
  },
  {
    kind: 'csi',
    name: 'HPR, character position forward',
    sequences: ['a'],
    run: ({ screen }, parameters) => screen.moveTo(screen.column + parameters.count(0), screen.row),
  },
  {
    kind: 'csi',
    name: 'VPA, line position absolute',
    sequences: ['d'],
    run: ({ screen }, parameters) => screen.moveToRow(parameters.count(0) - 1),
  },
  {
    kind: 'csi',
    name: 'VPR, line position forward',
    sequences: ['e'],
    run: ({ screen }, parameters) => screen.moveTo(screen.column, screen.row + parameters.count(0)),
  },
  {
    kind: 'character',
    name: 'BS, backspace',
    codes: [0x08],
    run: ({ screen }) => screen.moveLeft(1),
  },
  {
    kind: 'character',
    name: 'CR, carriage return',
    codes: [0x0d],
    run: ({ screen }) => screen.carriageReturn(),
  },
  {
    kind: 'escape',
    name: 'DECSC, save cursor',
    sequences: ['7'],
    run: ({ screen }) => screen.saveCursor(),
  },
  {
    kind: 'escape',
    name: 'DECRC, restore cursor',
    sequences: ['8'],
    run: (state) => state.restoreCursor(),
  },
  {
    kind: 'csi',
    name: 'SCORC, restore cursor position',
    sequences: ['u'],
    run: (state) => state.restoreCursor(),
  },
];
