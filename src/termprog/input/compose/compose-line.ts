import { keyText } from '../key-text.ts';
import { STATE } from '../keymap.ts';
import { keysymNamed } from '../keysyms.ts';
import type { ComposeKey, ComposeResult } from './compose-table.ts';

/** A parsed line of a Compose file. */
export type ComposeLine =
  | { kind: 'sequence'; keys: ComposeKey[]; result: ComposeResult }
  | { kind: 'include'; path: string }
  | { kind: 'nothing' }
  | { kind: 'problem'; problem: string };

/** Most keys of one sequence, as in libX11. */
const SEQUENCE_MAX = 10;

const ALL_MODIFIERS = STATE.shift | STATE.lock | STATE.control | STATE.mod1;

const MODIFIERS: Readonly<Record<string, number>> = {
  Ctrl: STATE.control,
  Lock: STATE.lock,
  Caps: STATE.lock,
  Shift: STATE.shift,
  Alt: STATE.mod1,
  Meta: STATE.mod1,
};

/** A keysym in angle brackets, a string, a name, a sign, or a comment up to the end of the line. */
const TOKEN = /[ \t\r]*(?:<[ \t]*([^<>\s]+)[ \t]*>|"((?:[^"\\]|\\.)*)"|(\w+)|([!~:])|(#.*)|$)/y;

interface Token {
  kind: 'keysym' | 'string' | 'name' | 'sign' | 'end';
  text: string;
}

const NOTHING: ComposeLine = { kind: 'nothing' };
const problem = (text: string): ComposeLine => ({ kind: 'problem', problem: text });

/** Parses one line of a Compose file; Compose(5). */
export function parseComposeLine(line: string): ComposeLine {
  const tokens = tokensOf(line);
  if (tokens === undefined) return problem('can\'t be read as `<key> … : "text" keysym`');
  const [first, second] = tokens;
  if (first === undefined) return NOTHING;
  if (first.kind === 'name' && first.text === 'include') {
    return second?.kind === 'string' && tokens.length === 2
      ? { kind: 'include', path: unescaped(second.text) }
      : problem('include needs one file name in quotation marks');
  }
  const colon = tokens.findIndex(({ kind, text }) => kind === 'sign' && text === ':');
  if (colon <= 0) return problem('has no keys and colon');
  const keys = keysOf(tokens.slice(0, colon));
  if (typeof keys === 'string') return problem(keys);
  const result = resultOf(tokens.slice(colon + 1));
  return typeof result === 'string' ? problem(result) : { kind: 'sequence', keys, result };
}

/** Splits a line into tokens; undefined if it contains an invalid one. */
function tokensOf(line: string): Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < line.length) {
    const match = TOKEN.exec(line);
    if (match === null) return undefined;
    const [, keysym, string, name, sign] = match;
    if (keysym !== undefined) tokens.push({ kind: 'keysym', text: keysym });
    else if (string !== undefined) tokens.push({ kind: 'string', text: string });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else break;
  }
  return tokens;
}

/** Modifiers that were read and belong to the next key. */
interface Pending {
  mask: number;
  modifiers: number;
  isNegated: boolean;
}

const NO_MODIFIERS: Pending = { mask: 0, modifiers: 0, isNegated: false };

/** Parses keys with the modifiers before each of them. */
function keysOf(tokens: readonly Token[]): ComposeKey[] | string {
  const keys: ComposeKey[] = [];
  let pending = NO_MODIFIERS;
  for (const token of tokens) {
    if (token.kind === 'keysym') {
      const keysym = keysymNamed(token.text);
      if (keysym === undefined || pending.isNegated) return `<${token.text}> is not a key`;
      keys.push({ keysym, mask: pending.mask, modifiers: pending.modifiers });
      pending = NO_MODIFIERS;
    } else {
      const next = withModifier(pending, token);
      if (next === undefined) return `"${token.text}" is not a modifier`;
      pending = next;
    }
  }
  if (keys.length === 0 || pending !== NO_MODIFIERS) return 'has modifiers without a key';
  return keys.length > SEQUENCE_MAX ? `has more than ${SEQUENCE_MAX} keys` : keys;
}

/** Adds a modifier. `None` and `!` forbid all other modifiers, `~` forbids the next one. */
function withModifier(pending: Pending, { kind, text }: Token): Pending | undefined {
  if (text === '~' && kind === 'sign') return { ...pending, isNegated: true };
  if ((text === '!' && kind === 'sign') || text === 'None') return { ...pending, mask: ALL_MODIFIERS };
  const bit = kind === 'name' && Object.hasOwn(MODIFIERS, text) ? MODIFIERS[text] : undefined;
  if (bit === undefined) return undefined;
  const modifiers = pending.isNegated ? pending.modifiers : pending.modifiers | bit;
  return { mask: pending.mask | bit, modifiers, isNegated: false };
}

/** Parses the result: a string, a keysym, or both, which then have the same meaning. */
function resultOf([first, second, ...rest]: readonly Token[]): ComposeResult | string {
  if (rest.length > 0) return 'has more than a text and a keysym behind the colon';
  if (first?.kind === 'string' && (second === undefined || second.kind === 'name'))
    return { text: unescaped(first.text) };
  if (first?.kind !== 'name' || second !== undefined) return 'has no text behind the colon';
  const keysym = keysymNamed(first.text);
  const text = keysym === undefined ? '' : keyText(keysym, false);
  return text === '' ? `"${first.text}" is not a key with a text` : { text };
}

const NAMED_ESCAPES: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09 };

/** Decodes escapes, which stand for bytes; together these are UTF-8. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes: Buffer[] = [];
  for (const [part, octal, hexadecimal, single] of text.matchAll(
    /[^\\]+|\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|(.))/gu,
  )) {
    if (octal !== undefined) bytes.push(Buffer.of(Number.parseInt(octal, 8)));
    else if (hexadecimal !== undefined) bytes.push(Buffer.of(Number.parseInt(hexadecimal, 16)));
    else if (single !== undefined && Object.hasOwn(NAMED_ESCAPES, single))
      bytes.push(Buffer.of(NAMED_ESCAPES[single] ?? 0));
    else bytes.push(Buffer.from(single ?? part, 'utf8'));
  }
  return Buffer.concat(bytes).toString('utf8');
}
