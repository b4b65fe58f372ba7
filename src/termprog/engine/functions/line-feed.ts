import type { ControlCharacter } from '../control-function.ts';

export const lineFeed: ControlCharacter = {
  kind: 'character',
  name: 'LF, line feed; VT and FF do the same',
  codes: [0x0a, 0x0b, 0x0c],
  run: ({ screen }) => {
    screen.index();
    if (screen.isLinefeedNewLine) screen.carriageReturn();
  },
};
