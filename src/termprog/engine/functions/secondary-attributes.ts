import type { ControlSequence } from '../control-function.ts';

const VT100_OF_XTERM_276 = '\x1b[>0;276;0c';

export const secondaryAttributes: ControlSequence = {
  kind: 'csi',
  name: 'DA2, secondary device attributes',
  sequences: ['>c'],
  run: ({ host }, parameters) => {
    if (parameters.at(0) === 0) host.reply(VT100_OF_XTERM_276);
  },
};
