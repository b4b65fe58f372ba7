import type { EscapeSequence } from '../control-function.ts';

export const fullReset: EscapeSequence = {
  kind: 'escape',
  name: 'RIS, reset to initial state',
  sequences: ['c'],
  run: (state) => state.fullReset(),
};
