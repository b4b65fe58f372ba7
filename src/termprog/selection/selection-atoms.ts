import type { XConnection } from '../x11/x-connection.ts';

/** Predefined atoms; X11 protocol, Appendix B. */
export const ATOM = 4;
export const INTEGER = 19;
export const STRING = 31;
const PRIMARY = 1;
const SECONDARY = 2;
const CUT_BUFFER0 = 9;

/** Number of answer properties, used in turn, so that a late answer does not spoil the next. */
const ANSWER_PROPERTIES = 4;

const NAMES = {
  targets: 'TARGETS',
  timestamp: 'TIMESTAMP',
  multiple: 'MULTIPLE',
  atomPair: 'ATOM_PAIR',
  incr: 'INCR',
  length: 'LENGTH',
  utf8String: 'UTF8_STRING',
  text: 'TEXT',
  compoundText: 'COMPOUND_TEXT',
  plainTextUtf8: 'text/plain;charset=utf-8',
  plainText: 'text/plain',
  clock: '_TERMPROG_CLOCK',
} as const;

export type SelectionAtoms = Readonly<Record<keyof typeof NAMES, number>> & {
  /** Properties of this program's own window. */
  readonly answers: readonly number[];
};

/** Interns the atoms of selections in one round trip. */
export async function internSelectionAtoms(connection: XConnection): Promise<SelectionAtoms> {
  const names = Object.entries(NAMES);
  const answerNames = Array.from({ length: ANSWER_PROPERTIES }, (_, index) => `_TERMPROG_SELECTION_${index}`);
  const [named, answers] = await Promise.all([
    Promise.all(names.map(async ([key, name]) => [key, await connection.internAtom(name)] as const)),
    Promise.all(answerNames.map((name) => connection.internAtom(name))),
  ]);
  return { ...(Object.fromEntries(named) as Record<keyof typeof NAMES, number>), answers };
}

/** Caches the atoms of selection names; each is interned once. */
export class SelectionNames {
  readonly #connection: XConnection;
  readonly #known = new Map<string, Promise<number> | number>([
    ['PRIMARY', PRIMARY],
    ['SECONDARY', SECONDARY],
  ]);

  constructor(connection: XConnection) {
    this.#connection = connection;
  }

  /** Returns the atom, without a promise if it is known. */
  atomOf(name: string): Promise<number> | number {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const asked = this.#connection.internAtom(name).then((atom) => {
      this.#known.set(name, atom);
      return atom;
    });
    this.#known.set(name, asked);
    return asked;
  }
}

/** Returns the property of a cut buffer, from 0 to 7. */
export const cutBufferAtom = (index: number): number => CUT_BUFFER0 + index;
