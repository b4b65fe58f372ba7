import { characterOf, isKeypad, KEYSYM } from './keysyms.ts';

/** Keys with names that have a control character in X itself; XLookupString(3). */
const CONTROL_CHARACTERS: ReadonlyMap<number, string> = new Map([
  [KEYSYM.backSpace, '\b'],
  [KEYSYM.tab, '\t'],
  [KEYSYM.keypadTab, '\t'],
  [KEYSYM.linefeed, '\n'],
  [KEYSYM.clear, '\v'],
  [KEYSYM.return, '\r'],
  [KEYSYM.keypadEnter, '\r'],
  [KEYSYM.escape, '\x1b'],
  [KEYSYM.delete, '\x7f'],
]);

/** Returns the text of a key alone or with Control, as X derives it; empty for keys without text. */
export function keyText(keysym: number, hasControl: boolean): string {
  const control = CONTROL_CHARACTERS.get(keysym);
  if (control !== undefined) return control;
  const character = characterOf(keysym) ?? '';
  return hasControl && !isKeypad(keysym) ? controlCharacter(character) : character;
}

/** Returns the control character that Control makes of a character; XLookupString(3). */
export function controlCharacter(character: string): string {
  if (/^[@-~ ]$/.test(character)) return String.fromCharCode(character.charCodeAt(0) & 0x1f);
  if (character === '2') return '\0';
  if (/^[3-7]$/.test(character)) return String.fromCharCode(character.charCodeAt(0) - 0x18);
  if (character === '8') return '\x7f';
  return character === '/' ? '\x1f' : character;
}
