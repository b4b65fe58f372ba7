import type { EscapeSequence } from '../control-function.ts';

/** Text is UTF-8 in both; designated seven-bit sets end. */
export const selectCodingSystem: EscapeSequence = {
  kind: 'escape',
  name: 'DOCS, designate other coding system',
  sequences: ['%@', '%G'],
  run: ({ screen }) => screen.charsets.reset(),
};
