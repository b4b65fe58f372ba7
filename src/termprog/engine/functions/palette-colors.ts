import type { OperatingSystemCommand } from '../control-function.ts';
import { type ColorTarget, SPECIAL_COLORS } from '../engine-host.ts';
import { COLOR_COMMAND_MAX_CHARACTERS } from '../limits.ts';

const ENTRIES = 256;

/**
 * Changes or reports colours: it takes pairs of a number and a colour, or a question mark. Numbers from 256 on are the
 * special colours.
 */
export const paletteColors: OperatingSystemCommand = {
  kind: 'osc',
  name: 'change or report colours of the palette, or special colours',
  numbers: [4, 5],
  maxCharacters: COLOR_COMMAND_MAX_CHARACTERS,
  run: ({ host }, text, command, terminator) => {
    const fields = text.split(';');
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const index = indexOf(fields[at] ?? '');
      const target = index === undefined ? undefined : colorAt(index, command === 5);
      // The first mistake ends the command, as in the reference terminal.
      if (target === undefined) return;
      const spec = fields[at + 1] ?? '';
      if (spec !== '?') host.colors.set(target, spec);
      else if (host.permits('GetAnsiColor')) {
        host.colors.report(target, (rgb) => `\x1b]${command};${index};${rgb}${terminator}`);
      }
    }
  },
};

function indexOf(field: string): number | undefined {
  return /^\d{1,3}$/.test(field) ? Number(field) : undefined;
}

/** Returns the colour that a number means in OSC 4, or in OSC 5, where special colours count from 0. */
export function colorAt(index: number, isSpecial: boolean): ColorTarget | undefined {
  if (isSpecial) return SPECIAL_COLORS[index];
  return index < ENTRIES ? index : SPECIAL_COLORS[index - ENTRIES];
}
