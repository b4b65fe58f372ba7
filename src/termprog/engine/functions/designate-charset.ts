import { charsets } from '../charsets.ts';
import type { EscapeSequence } from '../control-function.ts';

/** Intermediate characters by the set they designate: G0 to G3, of 94 and of 96 characters. */
const SLOTS: Readonly<Record<string, number>> = { '(': 0, ')': 1, '*': 2, '+': 3, '-': 1, '.': 2, '/': 3 };

/** Names a character set of seven bits as G0 to G3; ECMA-35 14.3. */
export const designateCharset: readonly EscapeSequence[] = Object.entries(SLOTS).flatMap(([intermediate, slot]) =>
  Object.entries(charsets).map(([final, set]) => ({
    kind: 'escape',
    name: `SCS, designate G${slot}`,
    sequences: [intermediate + final],
    run: ({ screen }) => screen.charsets.designate(slot, set),
  })),
);
