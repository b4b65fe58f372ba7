import type { ControlSequence } from '../control-function.ts';

export const requestMode: ControlSequence = {
  kind: 'csi',
  name: 'DECRQM, request mode',
  sequences: ['$p'],
  level: 3,
  run: ({ modes, host }, parameters) => {
    const number = parameters.at(0);
    host.reply(`\x1b[${number};${modes.report(number, false)}$y`);
  },
};
