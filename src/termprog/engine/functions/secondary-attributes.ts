import type { ControlSequence } from '../control-function.ts';

/**
 * The answer: a VT420, and the version of xterm whose control functions this terminal has. Programs ask for it to know
 * what they may use.
 */
const VT420_OF_XTERM_379 = '\x1b[>41;379;0c';

export const secondaryAttributes: ControlSequence = {
  kind: 'csi',
  name: 'DA2, secondary device attributes',
  sequences: ['>c'],
  run: ({ host }, parameters) => {
    if (parameters.at(0) === 0) host.reply(VT420_OF_XTERM_379);
  },
};
