import type { ControlFunction } from '../control-function.ts';

/** The keyboard protocol of kitty. */
export const kittyKeyboard: readonly ControlFunction[] = [
  {
    kind: 'csi',
    name: 'save keyboard flags and set others; kitty keyboard protocol',
    sequences: ['>u'],
    run: ({ keyboardFlags }, parameters) => keyboardFlags.push(parameters.at(0)),
  },
  {
    kind: 'csi',
    name: 'restore keyboard flags; kitty keyboard protocol',
    sequences: ['<u'],
    run: ({ keyboardFlags }, parameters) => keyboardFlags.pop(parameters.count(0)),
  },
  /** Changes flags as the second parameter says: 1 sets all flags, 2 adds some, 3 removes some. */
  {
    kind: 'csi',
    name: 'change keyboard flags; kitty keyboard protocol',
    sequences: ['=u'],
    run: ({ keyboardFlags }, parameters) => keyboardFlags.change(parameters.at(0), parameters.count(1)),
  },
  {
    kind: 'csi',
    name: 'report keyboard flags; kitty keyboard protocol',
    sequences: ['?u'],
    run: ({ keyboardFlags, host }, parameters) => {
      // A sequence with a number is the answer itself, which comes back if the child's terminal echoes it.
      if (parameters.isOmitted(0)) host.reply(`\x1b[?${keyboardFlags.flags}u`);
    },
  },
];
