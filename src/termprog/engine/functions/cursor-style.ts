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
    // Style 0 has the configured shape, and blinks as odd numbers do. ours: decision 95
    state.cursorShape = SHAPES[(style - 1) >> 1] ?? state.configuredCursorShape;
    if (state.takesBlinkRequests) state.modes.set('cursorBlink', style === 0 || style % 2 === 1);
  },
};
