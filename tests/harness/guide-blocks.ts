import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of one language that a guide shows, in their order. */
export function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(join('docs/guides', page), 'utf8');
  return [...text.matchAll(/^( *)```(\w+)\n(.*?)^\1```$/gms)].flatMap(([, indent = '', shown, block = '']) =>
    shown === language ? [withoutIndent(block, indent)] : [],
  );
}

/** Within the step of a list a block is indented. */
const withoutIndent = (block: string, indent: string): string =>
  block
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n');

/** Returns a guide's only text in a language. @throws Error when there is no such text, or more than one */
export function blockOf(page: string, language: string): string {
  const [block, ...others] = blocksOf(page, language);
  if (block === undefined || others.length > 0) throw new Error(`${page} does not show exactly one ${language}`);
  return block;
}
