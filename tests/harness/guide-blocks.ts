import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of one language that a guide shows, in their order. */
export function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(join('docs/guides', page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, shown, block = '']) =>
    shown === language ? [block] : [],
  );
}

/** The only text of a language in a guide. @throws Error when there is none, or more than one */
export function blockOf(page: string, language: string): string {
  const [block, ...others] = blocksOf(page, language);
  if (block === undefined || others.length > 0) throw new Error(`${page} does not show exactly one ${language}`);
  return block;
}
