import type { Json } from './option-tree.ts';

/** A string of Nix, on one line. */
export function nixString(text: string): string {
  const escapes: Record<string, string> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  return `"${text.replace(/["\\\n\r\t]|\$(?=\{)/g, (char) => escapes[char] ?? `\\${char}`)}"`;
}

/** Any configuration value as an expression of Nix. */
export function nixValue(value: Json): string {
  if (typeof value === 'string') return nixString(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '[ ]' : `[ ${value.map(nixElement).join(' ')} ]`;
  const entries = Object.entries(value);
  return entries.length === 0
    ? '{ }'
    : `{ ${entries.map(([key, member]) => `${nixKey(key)} = ${nixValue(member)};`).join(' ')} }`;
}

/** A negative number in a list would be an operator. */
function nixElement(value: Json): string {
  return typeof value === 'number' && value < 0 ? `(${value})` : nixValue(value);
}

/** An attribute name, quoted where it is not an identifier. */
export function nixKey(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_'-]*$/.test(key) ? key : nixString(key);
}

/** Lines moved right by `by` steps of two blanks; no string in generated text spans lines. */
export function indent(text: string, by = 1): string {
  return text.replace(/^(?=.)/gm, '  '.repeat(by));
}
