import type { ControlCharacter } from '../control-function.ts';

export const bell: ControlCharacter = {
  kind: 'character',
  name: 'BEL, bell',
  codes: [0x07],
  run: ({ host }) => host.bell(),
};
