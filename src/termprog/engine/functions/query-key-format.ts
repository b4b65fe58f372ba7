import type { ControlSequence } from '../control-function.ts';

export const queryKeyFormat: ControlSequence = {
  kind: 'csi',
  name: 'XTQFMTKEYS, query key format options',
  sequences: ['?g'],
  choices: ['4'],
  run: ({ modifiedKeys, host }, parameters) => {
    for (const number of parameters.from(0)) {
      const value = modifiedKeys.formatted(number);
      if (value !== undefined) host.reply(`\x1b[>${number};${value}f`);
    }
  },
};
