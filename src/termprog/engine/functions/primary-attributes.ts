import type { ControlSequence } from '../control-function.ts';

const VT100_WITH_ADVANCED_VIDEO = '\x1b[?1;2c';

export const primaryAttributes: ControlSequence = {
  kind: 'csi',
  name: 'DA1, primary device attributes',
  sequences: ['c'],
  run: ({ host }, parameters) => {
    if (parameters.at(0) === 0) host.reply(VT100_WITH_ADVANCED_VIDEO);
  },
};
