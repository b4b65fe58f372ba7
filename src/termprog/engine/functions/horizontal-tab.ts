import type { ControlCharacter } from '../control-function.ts';

export const horizontalTab: ControlCharacter = {
  kind: 'character',
  name: 'HT, character tabulation',
  codes: [0x09],
  run: ({ screen }) => screen.tabForward(1),
};
