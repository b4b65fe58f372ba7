import type { OperatingSystemCommand } from '../control-function.ts';
import { LINK_COMMAND_MAX_CHARACTERS, LINK_ID_MAX_CHARACTERS, LINK_MAX_CHARACTERS } from '../limits.ts';

/**
 * Begins a link from `parameters ; address`, which all text written from then on carries; an empty address ends the
 * link.
 */
export const hyperlink: OperatingSystemCommand = {
  kind: 'osc',
  name: 'begin or end a hyperlink',
  numbers: [8],
  keptCharacters: LINK_COMMAND_MAX_CHARACTERS,
  run: (state, text) => {
    const parametersEnd = text.indexOf(';');
    if (parametersEnd < 0) return;
    const uri = text.slice(parametersEnd + 1, parametersEnd + 2 + LINK_MAX_CHARACTERS);
    const id = /(?:^|:)id=([^:]*)/.exec(text.slice(0, parametersEnd))?.[1] ?? '';
    const isLink = uri !== '' && id.length <= LINK_ID_MAX_CHARACTERS;
    state.changeExtra({ link: isLink ? { uri: copyOf(uri), id: copyOf(id) } : undefined });
  },
};

/** Returns a separate copy: a part of a long string keeps all of that in memory, beyond what is counted. */
const copyOf = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');
