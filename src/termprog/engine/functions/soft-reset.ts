import type { ControlSequence } from '../control-function.ts';

export const softReset: ControlSequence = {
  kind: 'csi',
  name: 'DECSTR, soft terminal reset',
  sequences: ['!p'],
  run: (state) => state.softReset(),
};
