import type { ControlCharacter } from '../control-function.ts';

/** Moves left; with reverse wraparound, also back over the end of a line that went on in the next. */
export const backspace: ControlCharacter = {
  kind: 'character',
  name: 'BS, backspace',
  codes: [0x08],
  run: ({ screen }) => {
    const { margins, row } = screen;
    const first = screen.column >= margins.left ? margins.left : 0;
    if (screen.isReverseWrap && screen.isWrapPending) screen.isWrapPending = false;
    else if (screen.column > first) screen.moveRight(-1);
    else if (screen.isReverseWrap && row > margins.top && screen.grid.row(row - 1).isWrapped) {
      screen.grid.row(row - 1).isWrapped = false;
      screen.moveTo(margins.right, row - 1);
    }
  },
};
