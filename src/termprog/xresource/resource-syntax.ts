import { decodeBytes, isDecoded } from './decode-bytes.ts';
import { Inclusion, type TextOrigin } from './inclusion.ts';

/** The text form of resources: `Term*vt100.font: fixed`; XrmGetStringDatabase(3), X(7) "RESOURCES". */

/** One component and its binding to the previous one. */
export interface SpecifierPart {
  binding: 'tight' | 'loose';
  component: string;
}

export interface ResourceEntry {
  /** The specifier as written, without surrounding blanks. */
  specifier: string;
  parts: readonly SpecifierPart[];
  value: string;
  /** The value's bytes, one character each, if they are not UTF-8. */
  bytes?: string;
}

/** Most components of a specifier, as in libX11. */
const COMPONENTS_MAX = 100;

/**
 * Parses the entries of a resource text in order. A line without a colon is skipped; a line break after a backslash
 * joins lines in a value, but not elsewhere.
 * @param bytes one character per byte (latin1): octal escapes are bytes of the value's encoding
 */
export function parseResources(bytes: string, origin: TextOrigin = {}): ResourceEntry[] {
  return parseText(bytes, origin.file, new Inclusion(origin));
}

/** Parses the first line as `-xrm` does: one entry, or those of a file that it includes; empty for other text. */
export function parseResourceLine(bytes: string, origin: TextOrigin = {}): ResourceEntry[] {
  return parseLine(bytes, 0, origin.file, new Inclusion(origin)).entries;
}

function parseText(bytes: string, file: string | undefined, inclusion: Inclusion): ResourceEntry[] {
  const zero = bytes.indexOf('\0');
  const text = zero < 0 ? bytes : bytes.slice(0, zero);
  const all: ResourceEntry[][] = [];
  for (let at = 0; at < text.length; ) {
    const { entries, end } = parseLine(text, at, file, inclusion);
    if (entries.length > 0) all.push(entries);
    at = end;
  }
  return all.flat();
}

/** Parses the line at `start`; returns its entries, and the start of the next line. */
function parseLine(
  text: string,
  start: number,
  file: string | undefined,
  inclusion: Inclusion,
): { entries: ResourceEntry[]; end: number } {
  const lineEnd = endOfLine(text, start);
  const at = skipBlanks(text, start);
  const next = lineEnd + 1;
  if (text[at] === '!') return { entries: [], end: next };
  if (text[at] === '#') {
    const included = inclusion.include(text.slice(at, lineEnd), file);
    return {
      entries: included === undefined ? [] : included.read((bytes) => parseText(bytes, included.path, inclusion)),
      end: next,
    };
  }
  const nameLength = text.slice(at, lineEnd).indexOf(':');
  if (nameLength < 0) return { entries: [], end: next };
  const valueStart = startOfValue(text, at + nameLength + 1);
  const valueEnd = endOfValue(text, valueStart);
  const specifier = decodeBytes(withoutBlanksAtEnd(text.slice(at, at + nameLength)));
  const parts = parseSpecifier(specifier);
  const bytes = unescapeValue(text.slice(valueStart, valueEnd));
  const value = decodeBytes(bytes);
  const entry = { specifier, parts: parts ?? [], value, ...(isDecoded(bytes, value) ? {} : { bytes }) };
  return { entries: parts === undefined ? [] : [entry], end: valueEnd + 1 };
}

/** Separators and a component: blanks belong to it, and separators after a blank do not separate, as in libX11. */
const PART = /([.*]*)([^.*]+(?:(?<=[ \t])[.*]+[^.*]*)*)/gy;

/**
 * Parses components and bindings; undefined when the specifier does not end with a name. A run of separators with an
 * asterisk in it is loose.
 */
export function parseSpecifier(specifier: string): SpecifierPart[] | undefined {
  const parts: SpecifierPart[] = [];
  let end = 0;
  for (const [part, separators = '', name = ''] of specifier.matchAll(PART)) {
    if (parts.length === COMPONENTS_MAX) return undefined;
    parts.push({ binding: part.includes('*') ? 'loose' : 'tight', component: name.replace(/[.*]/g, '') });
    end += separators.length + name.length;
  }
  return end === 0 || end < specifier.length ? undefined : parts;
}

/**
 * Escapes a value so that reading the resource file gives the same value.
 * @param bytes those of the value, if they are not UTF-8
 */
export function escapeValue(value: string, bytes?: string): string {
  const escaped = (bytes ?? value).replace(/[\\\p{Cc}\x80-\xff]/gu, (character) => {
    if (character === '\\') return '\\\\';
    if (character === '\n') return '\\n';
    // Tabs need no escape; characters above ASCII are written as UTF-8, not as octal numbers, unless they control a
    // terminal.
    if (character === '\t' || (character > '\x9f' && bytes === undefined)) return character;
    const encoded = Buffer.from(character, bytes === undefined ? 'utf8' : 'latin1');
    return Array.from(encoded, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  });
  return /^[ \t]/.test(escaped) ? `\\${escaped}` : escaped;
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text[at])) at += 1;
  return at;
}

function withoutBlanksAtEnd(text: string): string {
  let end = text.length;
  while (isBlank(text[end - 1])) end -= 1;
  return text.slice(0, end);
}

/** Returns the position after blanks and joined lines. */
function startOfValue(text: string, start: number): number {
  let at = skipBlanks(text, start);
  while (text[at] === '\\' && text[at + 1] === '\n') at = skipBlanks(text, at + 2);
  return at;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** Returns the first line break that is not escaped by a backslash. */
function endOfValue(text: string, start: number): number {
  let end = endOfLine(text, start);
  while (end < text.length && isContinued(text, start, end)) end = endOfLine(text, end + 1);
  return end;
}

/** Whether an odd number of backslashes precedes the end. */
function isContinued(text: string, start: number, end: number): boolean {
  let first = end;
  while (first > start && text[first - 1] === '\\') first -= 1;
  return (end - first) % 2 === 1;
}

/** Decodes escapes. A backslash before any other character is dropped, also at the very end. */
function unescapeValue(text: string): string {
  return text.replace(/\\([0-7]{3}|[\s\S]|$)/g, (_, escaped: string) => {
    if (escaped.length === 3) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff);
    if (escaped === '\n') return '';
    return escaped === 'n' ? '\n' : escaped;
  });
}
