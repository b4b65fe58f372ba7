import type { ControlSequence } from '../control-function.ts';

export const reportKeyboardFlags: ControlSequence = {
  kind: 'csi',
  name: 'report keyboard flags; kitty keyboard protocol',
  sequences: ['?u'],
  run: ({ keyboardFlags, host }) => host.reply(`\x1b[?${keyboardFlags.flags}u`),
};
