import type { ControlSequence } from '../control-function.ts';

export const reportKeyboardFlags: ControlSequence = {
  kind: 'csi',
  name: 'report keyboard flags; kitty keyboard protocol',
  sequences: ['?u'],
  run: ({ keyboardFlags, host }, parameters) => {
    // A sequence with a number is the answer itself, which comes back if the child's terminal echoes it.
    if (parameters.isOmitted(0)) host.reply(`\x1b[?${keyboardFlags.flags}u`);
  },
};
