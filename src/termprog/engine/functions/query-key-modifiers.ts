import type { ControlSequence } from '../control-function.ts';

/** Reports a setting in a form that sets it again if it is sent back. */
export const queryKeyModifiers: ControlSequence = {
  kind: 'csi',
  name: 'XTQMODKEYS, query key modifier options',
  sequences: ['?m'],
  choices: ['1', '2', '3', '4'],
  run: ({ modifiedKeys, host }, parameters) => {
    for (const number of parameters.from(0)) {
      const value = modifiedKeys.modified(number);
      if (value !== undefined) host.reply(value < 0 ? `\x1b[>${number}n` : `\x1b[>${number};${value}m`);
    }
  },
};
