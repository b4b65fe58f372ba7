import type { ControlCharacter } from '../control-function.ts';

export const shiftIn: ControlCharacter = {
  kind: 'character',
  name: 'SI, shift in: G0',
  codes: [0x0f],
  run: ({ screen }) => screen.charsets.shift(0),
};
