import type { ControlSequence } from '../control-function.ts';

/** Characters that are written at once. */
const AT_ONCE = 1_024;

export const repeatCharacter: ControlSequence = {
  kind: 'csi',
  name: 'REP, repeat preceding graphic character',
  sequences: ['b'],
  run: (state, parameters) => {
    const { screen, precedingCharacter, printer } = state;
    if (precedingCharacter === 0 || printer.repeatable === 0) return;
    // More than the screen holds looks the same.
    const count = Math.min(parameters.count(0), screen.columns * screen.rows);
    const run = new Uint32Array(Math.min(count, AT_ONCE)).fill(printer.repeatable);
    for (let left = count; left > 0; left -= AT_ONCE) printer.print(run, 0, Math.min(left, AT_ONCE));
  },
};
