import type { ControlSequence } from '../control-function.ts';
import type { CursorShape } from '../cursor.ts';

const SHAPES: readonly CursorShape[] = ['block', 'underline', 'bar'];

export const cursorStyle: ControlSequence = {
  kind: 'csi',
  name: 'DECSCUSR, set cursor style',
  sequences: [' q'],
  run: (state, parameters) => {
    const style = parameters.at(0);
    if (style > 2 * SHAPES.length) return;
    // 0 is the configured cursor; odd numbers blink.
    state.cursorShape = style === 0 ? undefined : SHAPES[(style - 1) >> 1];
    state.modes.set('cursorBlink', style % 2 === 1);
  },
};
