/** Character sets of seven bits: what a code from 0x20 to 0x7e means. Undefined is ASCII. */
export type Charset = ReadonlyMap<number, number> | undefined;

/** Makes a set from the characters that are sent and the characters they mean, both written as text. */
function charset(sent: string, meant: string): Charset {
  const targets = [...meant];
  return new Map([...sent].map((character, index) => [character.charCodeAt(0), targets[index]?.codePointAt(0) ?? 0]));
}

/** DEC special graphics: line drawing; VT100 user guide, table 3-9. */
const lineDrawing = charset('`abcdefghijklmnopqrstuvwxyz{|}~', '◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·');

/** National replacement sets differ from ASCII in a few places; VT220 programmer reference, chapter 2. */
const NATIONAL = '#@[\\]^_`{|}~';
const british = charset('#', '£');
const dutch = charset('#@[\\]{|}~', '£¾ĳ½|¨ƒ¼´');
const finnish = charset('[\\]^`{|}~', 'ÄÖÅÜéäöåü');
const french = charset('#@[\\]{|}~', '£à°ç§éùè¨');
const frenchCanadian = charset('@[\\]^`{|}~', 'àâçêîôéùèû');
const german = charset('@[\\]{|}~', '§ÄÖÜäöüß');
const italian = charset('#@[\\]`{|}~', '£§°çéùàòèì');
const norwegianDanish = charset('@[\\]^`{|}~', 'ÄÆØÅÜäæøåü');
const spanish = charset('#@[\\]{|}', '£§¡Ñ¿°ñç');
const swedish = charset('@[\\]^`{|}~', 'ÉÄÖÅÜéäöåü');
const swiss = charset(NATIONAL, 'ùàéçêîèôäöüû');

/** DEC technical characters; VT340 text programming, table 2-7. */
const technical = charset(
  '!"#$%&\'()*+,-./0<=>?@ABCDEFGHIJKLMNOPQSVWXYZ[\\]^_`abcdefghijklnopqrstvwxyz{|}~',
  '⎷┌─⌠⌡│⎡⎣⎤⎦⎛⎝⎞⎠⎨⎬≤≠≥∫∴∝∞÷Δ∇ΦΓ∼≃Θ×Λ⇔⇒≡ΠΨΣ√ΩΞΥ⊂⊃∩∪∧∨¬αβχδεφγηιθκλν∂πψρστƒωξυζ←↑→↓',
);

/** Sets by the final character of the sequence that designates them. */
export const charsets: Readonly<Record<string, Charset>> = {
  '0': lineDrawing,
  '>': technical,
  A: british,
  B: undefined,
};

/** The same for sets that exist only while national ones are on; DECNRCM. */
export const nationalCharsets: Readonly<Record<string, Charset>> = {
  '4': dutch,
  '5': finnish,
  '6': norwegianDanish,
  '7': swedish,
  '=': swiss,
  C: finnish,
  E: norwegianDanish,
  H: swedish,
  K: german,
  Q: frenchCanadian,
  R: french,
  Y: italian,
  Z: spanish,
};

/** Knows the four designated sets and which of them is in use. */
export class CharsetState {
  #designated: [Charset, Charset, Charset, Charset] = [undefined, undefined, undefined, undefined];
  #shifted = 0;
  /** The set by which codes are read now. */
  current: Charset;

  designate(slot: number, set: Charset): void {
    this.#designated[slot as 0] = set;
    this.current = this.#designated[this.#shifted];
  }

  /** Reads codes by the set designated as G`slot` from now on. */
  shift(slot: number): void {
    this.#shifted = slot;
    this.current = this.#designated[slot];
  }

  reset(): void {
    this.#designated = [undefined, undefined, undefined, undefined];
    this.shift(0);
  }

  copy(): CharsetState {
    const state = new CharsetState();
    state.take(this);
    return state;
  }

  take(other: CharsetState): void {
    this.#designated = [...other.#designated];
    this.shift(other.#shifted);
  }
}
