import { isModifier, KEYSYM } from '../keysyms.ts';
import type { ComposeTable } from './compose-table.ts';

/** The effect of a key press: it goes on to the translations, is part of a sequence, or ends one with a text. */
export type Composed = { kind: 'passes' } | { kind: 'taken' } | { kind: 'made'; text: string };

const PASSES: Composed = { kind: 'passes' };
const TAKEN: Composed = { kind: 'taken' };

/**
 * Keysyms in locales' files that begin sequences, besides dead keys and Multi_key: of Greek, Khmer and Arabic layouts.
 */
const OTHER_FIRST_KEYS: ReadonlySet<number> = new Set([
  0x7ae,
  ...[0x17fb, 0x17fc, 0x17fd, 0x17fe, 0x17ff, 0xfef5, 0xfef7, 0xfef9, 0xfefb].map((code) => 0x0100_0000 + code),
]);

/** Whether a sequence of a locale's file may begin with the key. */
export function mayBeginSequence(keysym: number): boolean {
  const isDead = keysym >= KEYSYM.deadFirst && keysym <= KEYSYM.deadLast;
  return isDead || keysym === KEYSYM.multiKey || OTHER_FIRST_KEYS.has(keysym);
}

/**
 * Follows sequences of keys as libX11 does: a sequence continues as long as possible. A key with which no sequence
 * continues ends it and is lost too. Modifier keys do not belong to a sequence. It owns the position in the current
 * sequence.
 */
export class Composer {
  readonly #table: ComposeTable;
  #at: number | undefined;

  constructor(table: ComposeTable) {
    this.#table = table;
  }

  press(keysym: number, state: number): Composed {
    if (keysym === KEYSYM.none || isModifier(keysym)) return PASSES;
    const node = this.#table.follow(this.#at ?? this.#table.root, keysym, state);
    const wasInside = this.#at !== undefined;
    if (node === undefined) {
      this.#at = undefined;
      return wasInside ? TAKEN : PASSES;
    }
    if (this.#table.goesOn(node)) {
      this.#at = node;
      return TAKEN;
    }
    this.#at = undefined;
    const text = this.#table.textOf(node);
    return text === undefined ? TAKEN : { kind: 'made', text };
  }
}
