import type { XConnection } from '../x11/connection.ts';

/** Predefined atoms; X11 protocol, Appendix B. */
export const ATOM = 4;
export const INTEGER = 19;
export const STRING = 31;
const PRIMARY = 1;
const SECONDARY = 2;
const CUT_BUFFER0 = 9;

/** Properties that answers come in, one after the other: an answer that comes too late does not spoil the next. */
const ANSWER_PROPERTIES = 4;

export interface SelectionAtoms {
  /** Atoms of the selections, by name. */
  selections: { PRIMARY: number; SECONDARY: number; CLIPBOARD: number };
  targets: number;
  timestamp: number;
  utf8String: number;
  /** Properties of our own window. */
  clock: number;
  answers: readonly number[];
}

/** The atoms of selections, asked for in one round trip. */
export async function internSelectionAtoms(connection: XConnection): Promise<SelectionAtoms> {
  const [clipboard, targets, timestamp, utf8String, clock, ...answers] = await Promise.all(
    [
      'CLIPBOARD',
      'TARGETS',
      'TIMESTAMP',
      'UTF8_STRING',
      '_TERMPROG_CLOCK',
      ...Array.from({ length: ANSWER_PROPERTIES }, (_, index) => `_TERMPROG_SELECTION_${index}`),
    ].map((name) => connection.internAtom(name)),
  );
  return {
    selections: { PRIMARY, SECONDARY, CLIPBOARD: clipboard as number },
    targets: targets as number,
    timestamp: timestamp as number,
    utf8String: utf8String as number,
    clock: clock as number,
    answers,
  };
}

/** The property of a cut buffer, from 0 to 7. */
export const cutBufferAtom = (index: number): number => CUT_BUFFER0 + index;
