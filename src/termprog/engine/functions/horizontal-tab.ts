import type { ControlCharacter } from '../control-function.ts';

export const horizontalTab: ControlCharacter = {
  kind: 'character',
  name: 'HT, character tabulation',
  codes: [0x09],
  run: ({ screen }) => {
    if (screen.isWrapPending) return;
    const last = screen.column <= screen.margins.right ? screen.margins.right : screen.columns - 1;
    screen.moveTo(screen.tabStops.next(screen.column, last), screen.row);
  },
};
