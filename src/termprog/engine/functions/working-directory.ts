import type { OperatingSystemCommand } from '../control-function.ts';
import { DIRECTORY_MAX_CHARACTERS } from '../limits.ts';

/** Records the shell's present directory as an address, `file://HOST/PATH`; an empty text means that it is unknown. */
export const workingDirectory: OperatingSystemCommand = {
  kind: 'osc',
  name: 'report the working directory',
  numbers: [7],
  maxCharacters: DIRECTORY_MAX_CHARACTERS,
  run: (state, text) => {
    if (text === '') state.directory = undefined;
    else if (/^file:\/\/[^/\s]*\//.test(text)) state.directory = text;
  },
};
