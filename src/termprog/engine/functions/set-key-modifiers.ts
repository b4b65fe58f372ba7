import type { ControlSequence } from '../control-function.ts';

export const setKeyModifiers: ControlSequence = {
  kind: 'csi',
  name: 'XTMODKEYS, set key modifier options',
  sequences: ['>m'],
  choices: ['1', '2', '3', '4'],
  run: ({ modifiedKeys }, parameters) => {
    if (parameters.length === 1 && parameters.isOmitted(0)) modifiedKeys.resetModifications();
    else modifiedKeys.modify(parameters.at(0), parameters.isOmitted(1) ? undefined : parameters.at(1));
  },
};
