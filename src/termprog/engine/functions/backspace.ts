import type { ControlCharacter } from '../control-function.ts';

export const backspace: ControlCharacter = {
  kind: 'character',
  name: 'BS, backspace',
  codes: [0x08],
  run: ({ screen }) => screen.moveLeft(1),
};
