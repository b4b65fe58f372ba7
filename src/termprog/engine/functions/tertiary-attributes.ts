import type { ControlSequence } from '../control-function.ts';

/** The answer: a terminal without a number, because a real number would identify users. */
const UNIT_ID = '\x1bP!|00000000\x1b\\';

export const tertiaryAttributes: ControlSequence = {
  kind: 'csi',
  name: 'DA3, tertiary device attributes',
  sequences: ['=c'],
  level: 4,
  run: ({ host }, parameters) => {
    if (parameters.at(0) === 0) host.reply(UNIT_ID);
  },
};
