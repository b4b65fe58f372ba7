import { ALL_MODIFIERS, type KeysymModifier, type ModifierPattern } from './event-pattern.ts';
import { type Modifier, modifierNamed } from './modifier-names.ts';
import { type TableReader, UnreadableLine } from './table-reader.ts';

/** Returns the number of a key's name; undefined for an unknown name. */
export type KeysymNamed = (name: string) => number | undefined;

/** The part of a binding before its event. */
export interface ParsedModifiers extends ModifierPattern {
  isStandard: boolean;
}

/**
 * A bit that no event has and no pattern compares: `Any` is a different pattern than no modifiers, as in the toolkit.
 */
const ANY_MODIFIER = 1 << 15;

const NAME = /[A-Za-z0-9_-][\w$-]*|[$^]/y;

/** Parses `! : Shift ~Ctrl @Num_Lock` up to the `<` of the event. */
export function parseModifiers(reader: TableReader, keysymNamed: KeysymNamed): ParsedModifiers {
  reader.skipBlanks();
  if (reader.match(/None(?![\w$-])/y) !== '') return { ...anyModifiers(), mask: ALL_MODIFIERS };
  if (reader.match(/Any(?![\w$-])/y) !== '') return { ...anyModifiers(), held: ANY_MODIFIER };
  const flags = reader.match(/[!: \t\r]*/y);
  const parsed = { ...anyModifiers(), isStandard: flags.includes(':') };
  const byKeysym: KeysymModifier[] = [];
  for (; reader.peek() !== '<'; reader.skipBlanks()) {
    const isHeld = !reader.takeIf('~');
    const modifier = parseModifier(reader, keysymNamed);
    if ('keysyms' in modifier) byKeysym.push({ ...modifier, isHeld });
    else {
      parsed.mask |= modifier.bit;
      parsed.held = isHeld ? parsed.held | modifier.bit : parsed.held & ~modifier.bit;
    }
  }
  if (flags.includes('!')) parsed.mask = ALL_MODIFIERS;
  return { ...parsed, byKeysym };
}

function parseModifier(reader: TableReader, keysymNamed: KeysymNamed): Modifier {
  reader.skipBlanks();
  const isKeysym = reader.takeIf('@');
  const at = reader.at;
  const name = reader.match(NAME);
  if (name === '') reader.expected('a modifier or "<"', at);
  const modifier = isKeysym ? keysymModifier(name, at, keysymNamed) : modifierNamed(name);
  if (modifier === undefined) throw new UnreadableLine(at, 'a modifier', name);
  return modifier;
}

function anyModifiers(): ParsedModifiers {
  return { mask: 0, held: 0, byKeysym: [], isStandard: false };
}

function keysymModifier(name: string, at: number, keysymNamed: KeysymNamed): { keysyms: readonly number[] } {
  const keysym = keysymNamed(name);
  if (keysym === undefined) throw new UnreadableLine(at, 'a key behind "@"', name);
  return { keysyms: [keysym] };
}
