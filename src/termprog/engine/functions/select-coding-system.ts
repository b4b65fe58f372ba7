import type { EscapeSequence } from '../control-function.ts';

/** Ends designated seven-bit sets; text is UTF-8 in both coding systems. */
export const selectCodingSystem: EscapeSequence = {
  kind: 'escape',
  name: 'DOCS, designate other coding system',
  sequences: ['%@', '%G'],
  run: ({ screen }) => screen.charsets.reset(),
};
