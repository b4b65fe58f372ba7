import type { StartedTerminal, XDesktop } from './start-termprog.ts';

/** Size of the cells of the font "fixed", and the space around the text. */
export const CELL = { width: 6, height: 13 } as const;
const BORDER = 2;

/** Column and row, from 0; fractions are places in the cell. */
export type CellPlace = readonly [column: number, row: number];

/** A person's hand on the mouse, over a terminal that draws with the font "fixed". */
export interface Pointer {
  /** Returns the words of xdotool that move the pointer there. */
  at(place: CellPlace): string[];
  /** Runs words of xdotool in one go. */
  do(...words: (string | string[])[]): Promise<void>;
  drag(from: CellPlace, to: CellPlace, button?: number): Promise<void>;
  click(place: CellPlace, options?: { times?: number; button?: number; gapMs?: number }): Promise<void>;
}

export function pointerOver(desktop: XDesktop, { window }: Pick<StartedTerminal, 'window'>): Pointer {
  const at = ([column, row]: CellPlace): string[] => [
    'mousemove',
    '--window',
    String(window),
    '--',
    String(Math.floor(BORDER + (column + 0.4) * CELL.width)),
    String(Math.floor(BORDER + (row + 0.5) * CELL.height)),
  ];
  const run = async (...words: (string | string[])[]): Promise<void> => {
    await desktop.run('xdotool', ...words.flat());
  };
  return {
    at,
    do: run,
    drag: (from, to, button = 1) =>
      run(at(from), 'mousedown', String(button), at(to), 'sleep', '0.05', 'mouseup', String(button)),
    click: (place, { times = 1, button = 1, gapMs = 0 } = {}) => {
      const once = ['mousedown', String(button), 'mouseup', String(button), 'sleep', String(gapMs / 1_000)];
      return run(at(place), ...new Array<string[]>(times).fill(once));
    },
  };
}
