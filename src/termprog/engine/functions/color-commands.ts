import type { ControlFunction } from '../control-function.ts';
import { type ColorTarget, DYNAMIC_COLORS, SPECIAL_COLORS } from '../engine-host.ts';
import { COLOR_COMMAND_MAX_CHARACTERS } from '../limits.ts';

/** Size of the palette. */
const ENTRIES = 256;

/** The commands that change and reset the first dynamic colour; those of the others follow. */
const FIRST_CHANGE = 10;
const FIRST_RESET = 110;

/** Changes, reports and resets of colours. */
export const colorCommands: readonly ControlFunction[] = [
  /**
   * Changes or reports colours: it takes pairs of a number and a colour, or a question mark. Numbers from 256 on are the
   * special colours.
   */
  {
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
  },
  /** Resets the colours with the given numbers; without numbers, all of them. */
  {
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
  },
  /**
   * Changes or reports colours: it takes colours, or question marks, for this command's number and those that follow it.
   */
  {
    kind: 'osc',
    name: 'change or report colours of text, background, cursor, pointer and selections',
    numbers: DYNAMIC_COLORS.map((_name, index) => FIRST_CHANGE + index),
    maxCharacters: COLOR_COMMAND_MAX_CHARACTERS,
    run: ({ host }, text, command, terminator) => {
      for (const [index, spec] of text.split(';', DYNAMIC_COLORS.length).entries()) {
        const number = command + index;
        const target = DYNAMIC_COLORS[number - FIRST_CHANGE];
        if (target === undefined) return;
        if (spec === '?') {
          if (host.permits('GetColor')) host.colors.report(target, (rgb) => `\x1b]${number};${rgb}${terminator}`);
        } else if (spec !== '' && host.permits('SetColor')) host.colors.set(target, spec);
      }
    },
  },
  {
    kind: 'osc',
    name: 'reset colours of text, background, cursor, pointer and selections',
    numbers: DYNAMIC_COLORS.map((_name, index) => FIRST_RESET + index),
    run: ({ host }, text, command) => {
      const target = DYNAMIC_COLORS[command - FIRST_RESET];
      if (text === '' && target !== undefined && host.permits('SetColor')) host.colors.reset(target);
    },
  },
];

function indexOf(field: string): number | undefined {
  return /^\d{1,3}$/.test(field) ? Number(field) : undefined;
}

/** Returns the colour that a number means in OSC 4, or in OSC 5, where special colours count from 0. */
function colorAt(index: number, isSpecial: boolean): ColorTarget | undefined {
  if (isSpecial) return SPECIAL_COLORS[index];
  return index < ENTRIES ? index : SPECIAL_COLORS[index - ENTRIES];
}
