import type { ControlFunction } from '../control-function.ts';

/** The only format that can be changed, that of formatOtherKeys. */
const OTHER_KEYS = 4;

/** Key modifier options and the key format of xterm. */
export const xtermKeyboard: readonly ControlFunction[] = [
  {
    kind: 'csi',
    name: 'XTMODKEYS, set key modifier options',
    sequences: ['>m'],
    choices: ['1', '2', '3', '4'],
    run: ({ modifiedKeys }, parameters) => {
      if (parameters.length === 1 && parameters.isOmitted(0)) modifiedKeys.resetModifications();
      else modifiedKeys.modify(parameters.at(0), parameters.isOmitted(1) ? undefined : parameters.at(1));
    },
  },
  {
    kind: 'csi',
    name: 'disable key modifier options',
    sequences: ['>n'],
    choices: ['1', '2', '3', '4'],
    run: ({ modifiedKeys }, parameters) => modifiedKeys.disable(parameters.isOmitted(0) ? undefined : parameters.at(0)),
  },
  /** Reports a setting in a form that sets it again if it is sent back. */
  {
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
  },
  /** Sets the format of reported keys; it comes from newer versions of xterm than the one whose keys ours are. */
  {
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
  },
  {
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
  },
];
