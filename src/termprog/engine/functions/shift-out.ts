import type { ControlCharacter } from '../control-function.ts';

export const shiftOut: ControlCharacter = {
  kind: 'character',
  name: 'SO, shift out: G1',
  codes: [0x0e],
  run: ({ screen }) => screen.charsets.shift(1),
};
