import type { OperatingSystemCommand } from '../control-function.ts';
import { DYNAMIC_COLORS } from '../engine-host.ts';
import { COLOR_COMMAND_MAX_CHARACTERS } from '../limits.ts';

const FIRST = 10;

/**
 * Changes or reports colours: it takes colours, or question marks, for this command's number and those that follow it.
 */
export const dynamicColors: OperatingSystemCommand = {
  kind: 'osc',
  name: 'change or report colours of text, background, cursor, pointer and selections',
  numbers: DYNAMIC_COLORS.map((_name, index) => FIRST + index),
  maxCharacters: COLOR_COMMAND_MAX_CHARACTERS,
  run: ({ host }, text, command, terminator) => {
    for (const [index, spec] of text.split(';', DYNAMIC_COLORS.length).entries()) {
      const number = command + index;
      const target = DYNAMIC_COLORS[number - FIRST];
      if (target === undefined) return;
      if (spec === '?') {
        if (host.permits('GetColor')) host.colors.report(target, (rgb) => `\x1b]${number};${rgb}${terminator}`);
      } else if (spec !== '' && host.permits('SetColor')) host.colors.set(target, spec);
    }
  },
};
