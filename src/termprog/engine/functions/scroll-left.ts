import type { ControlSequence } from '../control-function.ts';
import { shiftColumns } from '../editing.ts';

export const scrollLeft: ControlSequence = {
  kind: 'csi',
  name: 'SL, scroll left',
  sequences: [' @'],
  run: ({ screen }, parameters) => {
    const { left } = screen.margins;
    screen.isWrapPending = false;
    shiftColumns(screen, { from: left, by: -parameters.count(0) });
  },
};
