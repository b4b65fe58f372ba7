import { isUtf8 } from 'node:buffer';

/** The text form of resources: `Term*vt100.font: fixed`; XrmGetStringDatabase(3), X(7) "RESOURCES". */

/** One component and its binding to the component before. */
export interface SpecifierPart {
  binding: 'tight' | 'loose';
  component: string;
}

export interface ResourceEntry {
  /** As it was written, without blanks. */
  specifier: string;
  parts: readonly SpecifierPart[];
  value: string;
}

/** How deep `#include` may nest. */
const INCLUDE_DEPTH_MAX = 100;

/** Files, and bytes of them, that one text may include in all; far above what anybody writes. */
const INCLUSIONS_MAX = 1_000;
const INCLUDED_BYTES_MAX = 16 * 1_024 * 1_024;

/** Components of a specifier, as libX11 bounds them. */
const COMPONENTS_MAX = 100;

/** The files that a text includes. */
interface Inclusion {
  read(file: string): string | undefined;
  /** Files under way, outermost first. */
  readonly open: string[];
  count: number;
  bytes: number;
}

/**
 * The entries of a resource text in order; a line without a colon is skipped.
 * @param bytes one character per byte (latin1): octal escapes are bytes of the value's encoding
 * @param include gives the text of an included file; undefined skips it
 */
export function parseResources(
  bytes: string,
  include: (file: string) => string | undefined = () => undefined,
): ResourceEntry[] {
  return parseText(bytes, { read: include, open: [], count: 0, bytes: 0 });
}

function parseText(bytes: string, inclusion: Inclusion): ResourceEntry[] {
  return logicalLines(bytes).flatMap((line) => {
    const text = line.replace(/^[ \t]+/, '');
    if (text === '' || text.startsWith('!')) return [];
    if (text.startsWith('#')) return includedEntries(text, inclusion);
    const entry = parseResourceLine(text);
    return entry === undefined ? [] : [entry];
  });
}

/** One `specifier: value` line, as `-xrm` takes it; undefined for any other text. */
export function parseResourceLine(line: string): ResourceEntry | undefined {
  const colon = line.indexOf(':');
  if (colon < 0) return undefined;
  const specifier = line.slice(0, colon).replace(/[ \t]+/g, '');
  const parts = parseSpecifier(specifier);
  if (parts === undefined) return undefined;
  return { specifier, parts, value: decodeText(unescapeValue(line.slice(colon + 1).replace(/^[ \t]+/, ''))) };
}

/** Components and bindings; undefined when no name stands at the end. A run of dots with an asterisk in it is loose. */
export function parseSpecifier(specifier: string): SpecifierPart[] | undefined {
  const parts: SpecifierPart[] = [];
  let end = 0;
  for (const { 0: component, index } of specifier.matchAll(/[^.*]+/g)) {
    if (parts.length === COMPONENTS_MAX) return undefined;
    parts.push({ binding: specifier.slice(end, index).includes('*') ? 'loose' : 'tight', component });
    end = index + component.length;
  }
  return end === 0 || end < specifier.length ? undefined : parts;
}

/** Writes a value so that reading the resource file gives the same value. */
export function escapeValue(value: string): string {
  const escaped = value.replace(/[\\\p{Cc}]/gu, (character) => {
    if (character === '\\') return '\\\\';
    if (character === '\n') return '\\n';
    // Tabs need no escape; characters above ASCII are written as UTF-8, not as octal numbers.
    if (character === '\t' || character > '\x7f') return character;
    return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return /^[ \t]/.test(escaped) ? `\\${escaped}` : escaped;
}

/** Lines after joining those that end in an odd number of backslashes. Comments are not joined. */
function logicalLines(bytes: string): string[] {
  const lines: string[] = [];
  let open: string[] = [];
  for (const line of bytes.split('\n')) {
    const isComment = open.length === 0 && /^[ \t]*!/.test(line);
    if (!isComment && isContinued(line)) open.push(line.slice(0, -1));
    else {
      lines.push(open.join('') + line);
      open = [];
    }
  }
  if (open.length > 0) lines.push(open.join(''));
  return lines;
}

function isContinued(line: string): boolean {
  let backslashes = 0;
  while (line.at(-1 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function unescapeValue(text: string): string {
  return text.replace(/\\([0-7]{3}|[\s\S])/g, (_, escaped: string) => {
    if (escaped.length === 3) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff);
    return escaped === 'n' ? '\n' : escaped;
  });
}

/** A file is not included within itself, and files above the bounds are skipped. */
function includedEntries(directive: string, inclusion: Inclusion): ResourceEntry[] {
  const file = /^#[ \t]*include[ \t]+"([^"]+)"/.exec(directive)?.[1];
  const { open } = inclusion;
  if (file === undefined || open.includes(file) || open.length >= INCLUDE_DEPTH_MAX) return [];
  if (inclusion.count >= INCLUSIONS_MAX || inclusion.bytes > INCLUDED_BYTES_MAX) return [];
  inclusion.count += 1;
  const text = inclusion.read(file);
  if (text === undefined) return [];
  inclusion.bytes += text.length;
  open.push(file);
  const entries = parseText(text, inclusion);
  open.pop();
  return entries;
}

/** Decodes UTF-8 if the bytes are valid, else Latin-1, which is the X server's own encoding. */
function decodeText(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  const raw = Buffer.from(bytes, 'latin1');
  return isUtf8(raw) ? raw.toString('utf8') : bytes;
}
