import { compoundTextOf } from './compound-text.ts';
import { ATOM, INTEGER, type SelectionAtoms, STRING } from './selection-atoms.ts';
import { isLatin1, latin1Of } from './text-forms.ts';

/** A value of a target, in the form of a property. */
export interface Converted {
  type: number;
  format: 8 | 32;
  data: Buffer;
}

/** The text of a selection, and the time since which it is owned. */
export interface HeldText {
  text: Uint8Array;
  sinceTime: number;
}

/** Converts a text to a target; undefined for an unsupported one. ICCCM 2.6.2 */
export function convertText(
  atoms: SelectionAtoms,
  target: number,
  { text, sinceTime }: HeldText,
): Converted | undefined {
  switch (target) {
    case atoms.targets:
      return { type: ATOM, format: 32, data: words(offeredTargets(atoms)) };
    case atoms.timestamp:
      return { type: INTEGER, format: 32, data: words([sinceTime]) };
    case atoms.length:
      return { type: INTEGER, format: 32, data: words([text.length]) };
    case atoms.utf8String:
    case atoms.plainTextUtf8:
    case atoms.plainText:
      return { type: target, format: 8, data: Buffer.from(text.buffer, text.byteOffset, text.byteLength) };
    case atoms.compoundText:
      return { type: atoms.compoundText, format: 8, data: compoundTextOf(text) };
    case atoms.text:
      return convertText(atoms, isLatin1(text) ? STRING : atoms.compoundText, { text, sinceTime });
    case STRING:
      return { type: STRING, format: 8, data: latin1Of(text) };
    default:
      return undefined;
  }
}

function offeredTargets(atoms: SelectionAtoms): number[] {
  const { targets, timestamp, multiple, utf8String, plainTextUtf8, text, compoundText, plainText, length } = atoms;
  return [targets, timestamp, multiple, utf8String, STRING, text, compoundText, plainTextUtf8, plainText, length];
}

/** Packs values of 32 bits for the wire. */
export function words(values: readonly number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer);
}
