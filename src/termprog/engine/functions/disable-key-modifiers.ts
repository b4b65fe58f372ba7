import type { ControlSequence } from '../control-function.ts';

export const disableKeyModifiers: ControlSequence = {
  kind: 'csi',
  name: 'disable key modifier options',
  sequences: ['>n'],
  choices: ['1', '2', '3', '4'],
  run: ({ modifiedKeys }, parameters) => modifiedKeys.disable(parameters.isOmitted(0) ? undefined : parameters.at(0)),
};
