import type { ControlCharacter } from '../control-function.ts';

/** Asks for the answerback text. @spec termprog#terminal-widget-resources-termvt100 answerbackString */
export const enquiry: ControlCharacter = {
  kind: 'character',
  name: 'ENQ, enquiry',
  codes: [0x05],
  run: ({ host }) => host.reply(host.answerback()),
};
