import type { ControlSequence } from '../control-function.ts';

const UNKNOWN = 0;
const SET = 1;
const RESET = 2;

export const requestMode: ControlSequence = {
  kind: 'csi',
  name: 'DECRQM, request mode',
  sequences: ['$p'],
  run: ({ modes, host }, parameters) => {
    const number = parameters.at(0);
    const isOn = modes.getNumbered(number, false);
    const known = isOn ? SET : RESET;
    host.reply(`\x1b[${number};${isOn === undefined ? UNKNOWN : known}$y`);
  },
};
