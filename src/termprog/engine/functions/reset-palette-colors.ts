import type { OperatingSystemCommand } from '../control-function.ts';
import { SPECIAL_COLORS } from '../engine-host.ts';
import { COLOR_COMMAND_MAX_CHARACTERS } from '../limits.ts';
import { colorAt } from './palette-colors.ts';

const ENTRIES = 256;

/** Resets the colours with the given numbers; without numbers, all of them. */
export const resetPaletteColors: OperatingSystemCommand = {
  kind: 'osc',
  name: 'reset colours of the palette, or special colours',
  numbers: [104, 105],
  maxCharacters: COLOR_COMMAND_MAX_CHARACTERS,
  run: ({ host: { colors } }, text, command) => {
    const isSpecial = command === 105;
    if (text === '') {
      const count = isSpecial ? SPECIAL_COLORS.length : ENTRIES;
      for (let index = 0; index < count; index += 1) {
        const target = colorAt(index, isSpecial);
        if (target !== undefined) colors.reset(target);
      }
      return;
    }
    for (const field of text.split(';')) {
      const target = /^\d{1,3}$/.test(field) ? colorAt(Number(field), isSpecial) : undefined;
      if (target === undefined) return;
      colors.reset(target);
    }
  },
};
