import type { ControlSequence } from '../control-function.ts';

/** Sets the format of reported keys; it comes from newer versions of xterm than the one whose keys ours are. */
export const setKeyFormat: ControlSequence = {
  kind: 'csi',
  name: 'XTFMTKEYS, set key format options',
  sequences: ['>f'],
  choices: ['4'],
  run: ({ modifiedKeys }, parameters) => {
    const isEmpty = parameters.length === 1 && parameters.isOmitted(0);
    modifiedKeys.format(
      isEmpty ? OTHER_KEYS : parameters.at(0),
      parameters.isOmitted(1) ? undefined : parameters.at(1),
    );
  },
};

/** The only format that can be changed, that of formatOtherKeys. */
const OTHER_KEYS = 4;
