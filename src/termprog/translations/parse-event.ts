import { type DetailKind, eventNamed } from './event-names.ts';
import { BUTTON_BITS, type EventPattern, type KeysymModifier, MODIFIER_BITS } from './event-pattern.ts';
import { metaHeld } from './modifier-names.ts';
import { type KeysymNamed, parseModifiers } from './parse-modifiers.ts';
import { type TableReader, UnreadableLine } from './table-reader.ts';

/** Number of repetitions of an event; `isOpen` if more may follow, as in `(2+)`. */
export interface Count {
  times: number;
  isOpen: boolean;
}

/** Most clicks of a count; each takes three steps. */
const TIMES_MAX = 100;

const ONCE: Count = { times: 1, isOpen: false };

/** Parses `Shift<Key>Prior` or `<Btn1Down>(2+)`. */
export function parseEvent(reader: TableReader, keysymNamed: KeysymNamed): { pattern: EventPattern; count: Count } {
  const modifiers = parseModifiers(reader, keysymNamed);
  reader.skipBlanks();
  if (!reader.takeIf('<')) reader.expected('"<"');
  reader.skipBlanks();
  const at = reader.at;
  const name = reader.match(/[A-Za-z0-9]*/y);
  const known = eventNamed(name);
  if (known === undefined && name !== '') throw new UnreadableLine(at, 'an event', name);
  if (known === undefined) reader.expected('an event');
  reader.skipBlanks();
  if (!reader.takeIf('>')) reader.expected('">"');
  reader.skipBlanks();
  const before = parseCount(reader);
  reader.skipBlanks();
  const detail = parseDetail(reader, known.details, keysymNamed) ?? known.detail;
  reader.skipBlanks();
  const count = before ?? parseCount(reader) ?? ONCE;
  const byKeysym: readonly KeysymModifier[] =
    known.byKeysym === undefined ? modifiers.byKeysym : [...modifiers.byKeysym, known.byKeysym];
  const held = modifiers.held | (known.held ?? 0);
  const needsButton = known.needsButton === true;
  // Any button may be held, apart from the named ones.
  const free = needsButton ? BUTTON_BITS & ~held : 0;
  const pattern = {
    ...modifiers,
    mask: (modifiers.mask | (known.held ?? 0)) & ~free,
    held,
    byKeysym,
    event: known.event,
    detail,
    needsButton,
  };
  return { pattern, count };
}

function parseCount(reader: TableReader): Count | undefined {
  const at = reader.at;
  const written = reader.match(/\((?:[0-9+]+\)?|\))/y);
  if (written === '') return undefined;
  const [, digits = '', plus] = /^\((\d*)(\+?)\)$/.exec(written) ?? [];
  const times = Number(digits);
  if (digits === '' || times === 0 || times > TIMES_MAX)
    throw new UnreadableLine(at, `a count from (1) to (${TIMES_MAX}+)`, written);
  return { times, isOpen: plus !== '' };
}

function parseDetail(reader: TableReader, kind: DetailKind, keysymNamed: KeysymNamed): number | string | undefined {
  if (kind.kind === 'none') return undefined;
  if (kind.kind === 'keysym') return parseKeysym(reader, keysymNamed);
  if (kind.kind === 'atom') return reader.match(/[^\s,:]+/y) || undefined;
  const at = reader.at;
  const name = reader.match(/[A-Za-z0-9]*/y);
  if (name === '') return undefined;
  const value = kind.names.get(name);
  if (value === undefined) throw new UnreadableLine(at, `a ${kind.what}`, name);
  return value;
}

/** Parses a key's name, its number, or one character, which a backslash quotes if it has another meaning here. */
function parseKeysym(reader: TableReader, keysymNamed: KeysymNamed): number | undefined {
  const at = reader.at;
  const name = reader.takeIf('\\') ? reader.match(/[^\n]/y) : reader.match(/(?:[^\s,:(]|\((?![0-9+)]))+/y);
  if (name === '') {
    if (reader.at > at) reader.expected('a character');
    return undefined;
  }
  const keysym = keysymOf(name, keysymNamed);
  if (keysym === undefined) throw new UnreadableLine(at, 'a key', name);
  return keysym;
}

/** Parses numbers as C does: hexadecimal, octal or decimal. */
function keysymOf(name: string, keysymNamed: KeysymNamed): number | undefined {
  if (!/^\d{2,}$|^0x/i.test(name)) return keysymNamed(name);
  const isOctal = /^0[0-7]*$/.test(name);
  const keysym = isOctal ? Number.parseInt(name, 8) : Number(name);
  return keysym > 0 && keysym <= 0xffff_ffff ? keysym : undefined;
}

/** Parses `"a^bc$d\\^"` after the opening quote: one key press per character. */
export function parseCharacters(reader: TableReader, keysymNamed: KeysymNamed): EventPattern[] {
  const opening = reader.at - 1;
  const patterns: EventPattern[] = [];
  while (!reader.takeIf('"')) {
    const prefixes = reader.match(/[$^]*/y);
    reader.takeIf('\\');
    const at = reader.at;
    const character = reader.match(/[^\n]/y);
    if (character === '') throw new UnreadableLine(opening, 'a closing quote on the same line');
    const detail = keysymNamed(character);
    if (detail === undefined) throw new UnreadableLine(at, 'a character of ASCII', character);
    const held = prefixes.includes('^') ? MODIFIER_BITS.Ctrl : 0;
    const byKeysym = prefixes.includes('$') ? [metaHeld] : [];
    patterns.push({ event: 'KeyPress', detail, mask: held, held, byKeysym, isStandard: true, needsButton: false });
  }
  return patterns;
}
