import type { ControlFunction } from '../control-function.ts';

/** Changes and reports of modes; `modes.ts` has their table. */
export const modeFunctions: readonly ControlFunction[] = [
  {
    kind: 'csi',
    name: 'SM, set mode',
    sequences: ['h'],
    run: ({ modes }, parameters) => {
      for (let index = 0; index < parameters.length; index += 1) modes.setNumbered(parameters.at(index), false, true);
    },
  },
  {
    kind: 'csi',
    name: 'RM, reset mode',
    sequences: ['l'],
    run: ({ modes }, parameters) => {
      for (let index = 0; index < parameters.length; index += 1) modes.setNumbered(parameters.at(index), false, false);
    },
  },
  {
    kind: 'csi',
    name: 'DECRQM, request mode',
    sequences: ['$p'],
    level: 3,
    run: ({ modes, host }, parameters) => {
      const number = parameters.at(0);
      host.reply(`\x1b[${number};${modes.report(number, false)}$y`);
    },
  },
  {
    kind: 'csi',
    name: 'DECSET, set private mode',
    sequences: ['?h'],
    run: ({ modes }, parameters) => {
      for (let index = 0; index < parameters.length; index += 1) modes.setNumbered(parameters.at(index), true, true);
    },
  },
  {
    kind: 'csi',
    name: 'DECRST, reset private mode',
    sequences: ['?l'],
    run: ({ modes }, parameters) => {
      for (let index = 0; index < parameters.length; index += 1) modes.setNumbered(parameters.at(index), true, false);
    },
  },
  {
    kind: 'csi',
    name: 'DECRQM, request private mode',
    sequences: ['?$p'],
    level: 3,
    run: ({ modes, host }, parameters) => {
      const number = parameters.at(0);
      host.reply(`\x1b[?${number};${modes.report(number, true)}$y`);
    },
  },
  {
    kind: 'csi',
    name: 'XTSAVE, save private modes',
    sequences: ['?s'],
    run: ({ modes }, parameters) => {
      for (let index = 0; index < parameters.length; index += 1) modes.save(parameters.at(index));
    },
  },
  {
    kind: 'csi',
    name: 'XTRESTORE, restore private modes',
    sequences: ['?r'],
    run: ({ modes }, parameters) => {
      for (let index = 0; index < parameters.length; index += 1) modes.restore(parameters.at(index));
    },
  },
  {
    kind: 'escape',
    name: 'DECKPAM, keypad application mode',
    sequences: ['='],
    run: ({ modes }) => modes.set('applicationKeypad', true),
  },
  {
    kind: 'escape',
    name: 'DECKPNM, keypad numeric mode',
    sequences: ['>'],
    run: ({ modes }) => modes.set('applicationKeypad', false),
  },
];
