import { type Charset, charsets, nationalCharsets } from '../charsets.ts';
import type { EscapeSequence } from '../control-function.ts';

/** The set that an intermediate character designates: G0 to G3, of 94 and of 96 characters. */
const SLOTS: Readonly<Record<string, number>> = { '(': 0, ')': 1, '*': 2, '+': 3, '-': 1, '.': 2, '/': 3 };

/**
 * Designates a character set of seven bits as G0 to G3; ECMA-35 14.3. National ones count only while their mode is on.
 */
export const designateCharset: readonly EscapeSequence[] = Object.entries(SLOTS).flatMap(([intermediate, slot]) => {
  const designating = (final: string, set: Charset, isNational: boolean): EscapeSequence => ({
    kind: 'escape',
    name: `SCS, designate G${slot}`,
    sequences: [intermediate + final],
    run: ({ screen }) => screen.charsets.designate(slot, isNational && !screen.hasNationalCharsets ? undefined : set),
  });
  return [
    ...Object.entries(charsets).map(([final, set]) => designating(final, set, false)),
    ...Object.entries(nationalCharsets).map(([final, set]) => designating(final, set, true)),
  ];
});
