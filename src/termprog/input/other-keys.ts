import { isNamedKey } from './key-kinds.ts';
import { KEYSYM } from './keysyms.ts';

/** Modifiers as bits of the parameter, which is 1 plus their sum; xterm. */
export const HELD = { shift: 1, alt: 2, control: 4, meta: 8 } as const;

/** A key that sends characters, with the state that determines how its modifiers are encoded. */
export interface OtherKey {
  key: number;
  /** Text that X derives from the key. */
  text: string;
  held: number;
  altIsMeta: boolean;
  modes: {
    backarrowIsBackspace: boolean;
    altSendsEscape: boolean;
    metaSendsEscape: boolean;
    modified: { otherKeys: number };
  };
}

/** Whether the keysym has a control character: @ to DEL. */
const hasControlCharacter = (key: number): boolean => key >= 0x40 && key <= 0x7f;

const isControlCode = (code: number): boolean => code < 0x20 || (code >= 0x7f && code <= 0x9f);

/** Whether X derives a control character from the key, for example from Control with 2. */
const makesControlCharacter = (text: string): boolean => text.length === 1 && isControlCode(text.charCodeAt(0));

const without = (held: number, mask: number): number => held & ~mask;

/** Backspace that sends DEL counts as Delete without Control. */
function isDelete({ key, held, modes: { backarrowIsBackspace } }: OtherKey): boolean {
  return key === KEYSYM.backSpace && backarrowIsBackspace === ((held & HELD.control) !== 0);
}

/** Whether a key encodes its modifiers in a sequence, by the rules of xterm's modifyOtherKeys. */
export function isReportedAsOther(other: OtherKey): boolean {
  if (other.held === 0) return false;
  if (isDelete(other)) {
    const rest = without(other.held, HELD.control);
    return other.modes.modified.otherKeys > 1 && rest !== 0;
  }
  const held = isNamedKey(other.key) ? other.held : reportedModifiers(other);
  if (held === 0) return false;
  return other.modes.modified.otherKeys === 1 ? isReportedIfLost(other, held) : isAlwaysReported(other, held);
}

/** The rule of modifyOtherKeys 1: modifiers that characters would not show. */
function isReportedIfLost({ key, text }: OtherKey, held: number): boolean {
  if (key === KEYSYM.backSpace || key === KEYSYM.delete) return false;
  if (key === KEYSYM.return || key === KEYSYM.tab) return true;
  if (hasControlCharacter(key)) return held !== HELD.control && held !== HELD.shift;
  if (makesControlCharacter(text)) return held !== HELD.shift && without(held, HELD.control) !== 0;
  return true;
}

/** The rule of modifyOtherKeys 2: all modifiers, except Shift that makes another character. */
function isAlwaysReported({ key }: OtherKey, held: number): boolean {
  if (key === KEYSYM.backSpace) return without(held, HELD.control) !== 0;
  if (key === KEYSYM.escape || key === KEYSYM.return || key === KEYSYM.tab) return true;
  if (hasControlCharacter(key)) return true;
  return (held === HELD.shift && key === 0x20) || without(held, HELD.shift) !== 0;
}

/** Returns the modifiers that a key encodes: those that its characters do not show. */
export function reportedModifiers({ key, text, held, altIsMeta, modes }: OtherKey): number {
  if (modes.modified.otherKeys > 1) return held;
  let left = held;
  if (hasControlCharacter(key) && without(left, HELD.control) === 0) return left;
  if (key !== KEYSYM.tab && key !== KEYSYM.return) {
    if (makesControlCharacter(text)) {
      if (without(left, HELD.control | HELD.shift) === 0) left = 0;
    } else if (!isControlCode(key) && !isNamedKey(key) && (left & HELD.control) === 0) left = without(left, HELD.shift);
  }
  const metaMask = altIsMeta ? HELD.alt : HELD.meta;
  left = withoutEscaped(left, metaMask, { key, sendsEscape: modes.metaSendsEscape });
  return withoutEscaped(left, HELD.alt, { key, sendsEscape: modes.altSendsEscape });
}

/** Removes Alt or Meta if ESC encodes it, and with it Control if programs such as emacs expect the character. */
function withoutEscaped(
  held: number,
  mask: number,
  { key, sendsEscape }: { key: number; sendsEscape: boolean },
): number {
  if ((held & mask) === 0) return held;
  let left = sendsEscape ? without(held, mask) : held;
  if (without(left, mask) === 0) left = 0;
  if ((hasControlCharacter(key) || isControlCode(key)) && (left & HELD.control) !== 0)
    left = without(left, mask | HELD.control);
  return key === KEYSYM.return || key === KEYSYM.tab ? without(left, mask | HELD.control) : left;
}
