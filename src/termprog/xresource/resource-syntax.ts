import { isUtf8 } from 'node:buffer';

/** The text form of resources: `Term*vt100.font: fixed`; XrmGetStringDatabase(3), X(7) "RESOURCES". */

/** One component and how it is bound to what stands before it. */
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

/**
 * The entries of a resource text in order; a line without a colon says nothing and is skipped.
 * @param bytes one character per byte (latin1): octal escapes are bytes of the value's encoding
 * @param include gives the text of an included file; undefined skips it
 */
export function parseResources(
  bytes: string,
  include: (file: string) => string | undefined = () => undefined,
  depth = 0,
): ResourceEntry[] {
  return logicalLines(bytes).flatMap((line) => {
    const text = line.replace(/^[ \t]+/, '');
    if (text === '' || text.startsWith('!')) return [];
    if (text.startsWith('#')) return includedEntries(text, include, depth);
    const entry = parseResourceLine(text);
    return entry === undefined ? [] : [entry];
  });
}

/** One `specifier: value` line, as `-xrm` takes it; undefined when it is none. */
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
  const matches = [...specifier.matchAll(/([.*]*)([^.*]+)/g)];
  if (matches.length === 0 || /[.*]$/.test(specifier)) return undefined;
  return matches.map(([, separators = '', component = '']) => ({
    binding: separators.includes('*') ? 'loose' : 'tight',
    component,
  }));
}

/** A value as a resource file needs it written, so that reading gives it back. */
export function escapeValue(value: string): string {
  const escaped = value.replace(/[\\\p{Cc}]/gu, (character) => {
    if (character === '\\') return '\\\\';
    if (character === '\n') return '\\n';
    // Tabs may stand as they are; characters above ASCII are bytes of UTF-8 and no octal number.
    if (character === '\t' || character > '\x7f') return character;
    return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return /^[ \t]/.test(escaped) ? `\\${escaped}` : escaped;
}

/** Lines after joining those that end in an odd number of backslashes. Comments are not joined. */
function logicalLines(bytes: string): string[] {
  const lines: string[] = [];
  let open: string | undefined;
  for (const physical of bytes.split('\n')) {
    const line = (open ?? '') + physical;
    const isComment = open === undefined && /^[ \t]*!/.test(line);
    open = undefined;
    if (!isComment && /(?:^|[^\\])(?:\\\\)*\\$/.test(line)) open = line.slice(0, -1);
    else lines.push(line);
  }
  if (open !== undefined) lines.push(open);
  return lines;
}

function unescapeValue(text: string): string {
  return text.replace(/\\([0-7]{3}|[\s\S])/g, (_, escaped: string) => {
    if (escaped.length === 3) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff);
    return escaped === 'n' ? '\n' : escaped;
  });
}

function includedEntries(
  directive: string,
  include: (file: string) => string | undefined,
  depth: number,
): ResourceEntry[] {
  const file = /^#[ \t]*include[ \t]+"([^"]+)"/.exec(directive)?.[1];
  if (file === undefined || depth >= INCLUDE_DEPTH_MAX) return [];
  const text = include(file);
  return text === undefined ? [] : parseResources(text, include, depth + 1);
}

/** UTF-8 where the bytes are that, else Latin-1, which is what the X server's own text is. */
function decodeText(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  const raw = Buffer.from(bytes, 'latin1');
  return isUtf8(raw) ? raw.toString('utf8') : bytes;
}
