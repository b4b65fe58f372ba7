import { characterOf, isKeypad, isModifier, KEYSYM } from './keysyms.ts';

/** The keyboard's modes, as the application set them. */
export interface KeyboardModes {
  applicationCursorKeys: boolean;
  applicationKeypad: boolean;
}

export interface KeyModifiers {
  shift: boolean;
  alt: boolean;
  control: boolean;
  numLock: boolean;
}

const ESC = '\x1b';
const CSI = `${ESC}[`;
const SS3 = `${ESC}O`;
const DELETE = '\x7f';
const BACKSPACE = '\b';
/** The code of the key Clear in Xlib's own table. */
const VERTICAL_TAB = '\v';

/** Keys that send CSI or, with application cursor keys, SS3 and a letter. */
const CURSOR_KEYS: Readonly<Record<number, string>> = {
  65361: 'D',
  65362: 'A',
  65363: 'C',
  65364: 'B',
  65360: 'H',
  65367: 'F',
  65368: 'E',
};

/** F1 to F4 send SS3 and a letter whatever the mode. */
const PF_KEYS: Readonly<Record<number, string>> = { 65470: 'P', 65471: 'Q', 65472: 'R', 65473: 'S' };

/** Keys that send CSI, a number and a tilde: Insert, Delete, Prior, Next, then F5 to F20. */
const NUMBERED_KEYS: Readonly<Record<number, number>> = {
  65379: 2,
  65535: 3,
  65365: 5,
  65366: 6,
  ...Object.fromEntries(
    [15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34].map((number, index) => [65474 + index, number]),
  ),
};

/** Keys of the keypad without Num Lock -> the equal keys elsewhere. */
const KEYPAD_TWINS: Readonly<Record<number, number>> = {
  65425: 65470,
  65426: 65471,
  65427: 65472,
  65428: 65473,
  65429: 65360,
  65430: 65361,
  65431: 65362,
  65432: 65363,
  65433: 65364,
  65434: 65365,
  65435: 65366,
  65436: 65367,
  65437: 65368,
  65438: 65379,
  65439: 65535,
};

/**
 * What a key sends, as UTF-8 text; empty for keys that send nothing. The encodings are the reference terminal's with a
 * PC keyboard: modified keys carry their modifiers as a parameter, Alt puts ESC in front of characters.
 */
export function encodeKey(keysym: number, modifiers: KeyModifiers, modes: KeyboardModes): string {
  if (keysym === KEYSYM.none || isModifier(keysym)) return '';
  const key = KEYPAD_TWINS[keysym] ?? keysym;
  const special = encodeSpecial(key, modifiers, modes);
  if (special !== undefined) return special;
  if (isKeypad(key) && modes.applicationKeypad && !modifiers.numLock) {
    const final = applicationKeypadFinal(key);
    if (final !== undefined) return SS3 + final;
  }
  const text = encodeText(key, modifiers);
  return text !== '' && modifiers.alt ? ESC + text : text;
}

function encodeSpecial(key: number, modifiers: KeyModifiers, modes: KeyboardModes): string | undefined {
  const parameter = 1 + (modifiers.shift ? 1 : 0) + (modifiers.alt ? 2 : 0) + (modifiers.control ? 4 : 0);
  const cursor = CURSOR_KEYS[key];
  if (cursor !== undefined) {
    if (parameter > 1) return `${CSI}1;${parameter}${cursor}`;
    return (modes.applicationCursorKeys ? SS3 : CSI) + cursor;
  }
  const pf = PF_KEYS[key];
  if (pf !== undefined) return parameter > 1 ? `${CSI}1;${parameter}${pf}` : SS3 + pf;
  const number = NUMBERED_KEYS[key];
  if (number !== undefined) return parameter > 1 ? `${CSI}${number};${parameter}~` : `${CSI}${number}~`;
  return key === KEYSYM.leftTab ? `${CSI}Z` : undefined;
}

/** The characters of a keypad in application mode lie 64 above those of the keys; Enter is M. */
function applicationKeypadFinal(key: number): string | undefined {
  if (key === KEYSYM.keypadEnter) return 'M';
  const character = characterOf(key);
  return character === undefined ? undefined : String.fromCharCode(character.charCodeAt(0) + 0x40);
}

function encodeText(key: number, { control }: KeyModifiers): string {
  switch (key) {
    case KEYSYM.backSpace:
      return control ? BACKSPACE : DELETE;
    case KEYSYM.tab:
    case KEYSYM.keypadTab:
      return '\t';
    case KEYSYM.linefeed:
      return '\n';
    case KEYSYM.clear:
      return VERTICAL_TAB;
    case KEYSYM.return:
    case KEYSYM.keypadEnter:
      return '\r';
    case KEYSYM.escape:
      return ESC;
    default: {
      const character = characterOf(key) ?? '';
      // Unlike the main keys, digits of the keypad never become control characters.
      return control && !isKeypad(key) ? controlCharacter(character) : character;
    }
  }
}

/** The control character that Control makes of a character; XLookupString(3). */
function controlCharacter(character: string): string {
  if (/^[@-~ ]$/.test(character)) return String.fromCharCode(character.charCodeAt(0) & 0x1f);
  if (character === '2') return '\0';
  if (/^[3-7]$/.test(character)) return String.fromCharCode(character.charCodeAt(0) - 0x18);
  if (character === '8') return DELETE;
  return character === '/' ? '\x1f' : character;
}
