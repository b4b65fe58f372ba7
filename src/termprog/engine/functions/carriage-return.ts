import type { ControlCharacter } from '../control-function.ts';

export const carriageReturn: ControlCharacter = {
  kind: 'character',
  name: 'CR, carriage return',
  codes: [0x0d],
  run: ({ screen }) => screen.carriageReturn(),
};
