import {
  ABORTING,
  C1_CSI,
  ESC,
  INTRODUCER,
  PLAIN_SEQUENCE,
  STRING_END,
  STRING_INTRODUCERS,
} from './control-characters.ts';
import { clampControlSequence } from './control-sequence-clamp.ts';
import { CLUSTER_MAX_JOINERS, CONTROL_SEQUENCE_MAX_CHARACTERS, CONTROL_STRING_MAX_CHARACTERS } from './limits.ts';

/** What the guard asks about the screen behind it. */
export interface GuardedScreen {
  readonly columns: number;
  readonly rows: number;
  /** Cells a code point takes; 0 for one that joins the character before it. */
  widthOf(codePoint: number): number;
}

type State = 'ground' | 'escape' | 'sequence' | 'string';

/** Code points below this join nothing. */
const FIRST_JOINER = 0x300;

/**
 * Stands between the child and the engine. Bytes become text, each invalid one U+FFFD. A control sequence or string is
 * handed on whole once it is complete, with its numbers bounded, or not at all, so that nothing but the child's own
 * output reaches the engine, and nothing short costs a long time there.
 */
export class Guard {
  readonly #screen: GuardedScreen;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #state: State = 'ground';
  /** The incomplete sequence or string, from its introducer on, behind a string that ESC has just ended. */
  #held = '';
  /** Where the incomplete sequence begins in `#held`. */
  #introducedAt = 0;
  /** It has become longer than any that is used, and will be dropped. */
  #isTooLong = false;
  #joiners = 0;

  constructor(screen: GuardedScreen) {
    this.#screen = screen;
  }

  /** The text that may be parsed now. */
  filter(bytes: Uint8Array): string {
    const text = this.#decoder.decode(bytes, { stream: true });
    let passed = '';
    for (let at = 0; at < text.length; ) {
      if (this.#state === 'ground') {
        const end = endOfPlainText(text, at);
        passed += this.#boundClusters(text.slice(at, end));
        if (end < text.length) this.#introduce(text.charAt(end));
        at = end + 1;
      } else if (this.#state === 'string') {
        const end = indexOf(STRING_END, text, at);
        this.#hold(text.slice(at, end), CONTROL_STRING_MAX_CHARACTERS);
        if (end < text.length) passed += this.#endString(text.charAt(end));
        at = end + 1;
      } else {
        passed += this.#step(text.charAt(at));
        at += 1;
      }
    }
    return passed;
  }

  #introduce(character: string): void {
    this.#introducedAt = this.#held.length;
    this.#held += character;
    this.#joiners = 0;
    if (character === ESC) this.#state = 'escape';
    else this.#state = character === C1_CSI ? 'sequence' : 'string';
  }

  /** One character behind ESC or inside a control sequence. */
  #step(character: string): string {
    if (character === ESC) {
      const passed = this.#release('');
      this.#introduce(ESC);
      return passed;
    }
    if (ABORTING.includes(character) || character > '~') return this.#release(character);
    // Control characters inside a sequence act at once, as if they stood before it.
    if (character < ' ') return character;
    this.#hold(character, CONTROL_SEQUENCE_MAX_CHARACTERS);
    return this.#state === 'escape' ? this.#stepEscape(character) : this.#stepSequence(character);
  }

  #stepEscape(character: string): string {
    const isFirst = this.#held.length === this.#introducedAt + 2;
    if (isFirst && character === '[') this.#state = 'sequence';
    else if (isFirst && STRING_INTRODUCERS.includes(character)) this.#state = 'string';
    else if (character >= '0') return this.#release('');
    return '';
  }

  #stepSequence(character: string): string {
    if (character < '@') return '';
    const head = this.#introducedAt + (this.#held.charAt(this.#introducedAt) === ESC ? 2 : 1);
    const sequence = clampControlSequence(this.#held.slice(head), this.#screen);
    this.#held = this.#held.slice(0, head) + sequence;
    return this.#release('');
  }

  #hold(text: string, mostCharacters: number): void {
    if (this.#held.length - this.#introducedAt + text.length > mostCharacters) this.#isTooLong = true;
    if (!this.#isTooLong) this.#held += text;
  }

  /** ESC ends a string and begins what follows, usually the backslash of ST: the two are handed on together. */
  #endString(terminator: string): string {
    if (terminator !== ESC) return this.#release(terminator);
    if (this.#isTooLong) this.#release('');
    this.#introduce(ESC);
    return '';
  }

  #release(last: string): string {
    const passed = this.#isTooLong ? '' : this.#held + last;
    this.#state = 'ground';
    this.#held = '';
    this.#introducedAt = 0;
    this.#isTooLong = false;
    return passed;
  }

  /** Drops code points that join one cell beyond the bound. */
  #boundClusters(text: string): string {
    if (!/[\u0300-\uffff]/.test(text)) {
      if (text !== '') this.#joiners = 0;
      return text;
    }
    let bounded = '';
    for (const character of text) {
      const codePoint = character.codePointAt(0) ?? 0;
      const isJoiner = codePoint >= FIRST_JOINER && this.#screen.widthOf(codePoint) === 0;
      this.#joiners = isJoiner ? this.#joiners + 1 : 0;
      if (this.#joiners <= CLUSTER_MAX_JOINERS) bounded += character;
    }
    return bounded;
  }
}

/** Where the first sequence begins that is not complete and plain, else the end. */
function endOfPlainText(text: string, from: number): number {
  let at = indexOf(INTRODUCER, text, from);
  while (at < text.length) {
    PLAIN_SEQUENCE.lastIndex = at;
    if (!PLAIN_SEQUENCE.test(text)) break;
    at = indexOf(INTRODUCER, text, PLAIN_SEQUENCE.lastIndex);
  }
  return at;
}

/** Where the expression, which is global, first matches from `from` on, else the end. */
function indexOf(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from;
  return expression.exec(text)?.index ?? text.length;
}
