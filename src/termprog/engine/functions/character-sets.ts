import { type Charset, charsets, nationalCharsets } from '../charsets.ts';
import type { ControlFunction } from '../control-function.ts';

/** The set that an intermediate character designates: G0 to G3, of 94 and of 96 characters. */
const SLOTS: Readonly<Record<string, number>> = { '(': 0, ')': 1, '*': 2, '+': 3, '-': 1, '.': 2, '/': 3 };

/**
 * Designates a character set of seven bits as G0 to G3; ECMA-35 14.3. National ones count only while their mode is on.
 */
const designateCharset: readonly ControlFunction[] = Object.entries(SLOTS).flatMap(([intermediate, slot]) => {
  const designating = (final: string, set: Charset, isNational: boolean): ControlFunction => ({
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

/** Designation and choice of character sets. */
export const characterSets: readonly ControlFunction[] = [
  ...designateCharset,
  {
    kind: 'character',
    name: 'SI, shift in: G0',
    codes: [0x0f],
    run: ({ screen }) => screen.charsets.shift(0),
  },
  {
    kind: 'character',
    name: 'SO, shift out: G1',
    codes: [0x0e],
    run: ({ screen }) => screen.charsets.shift(1),
  },
  {
    kind: 'escape',
    name: 'LS2, locking shift two',
    sequences: ['n'],
    run: ({ screen }) => screen.charsets.shift(2),
  },
  {
    kind: 'escape',
    name: 'LS3, locking shift three',
    sequences: ['o'],
    run: ({ screen }) => screen.charsets.shift(3),
  },
  /** Ends designated seven-bit sets; text is UTF-8 in both coding systems. */
  {
    kind: 'escape',
    name: 'DOCS, designate other coding system',
    sequences: ['%@', '%G'],
    run: ({ screen }) => screen.charsets.reset(),
  },
];
