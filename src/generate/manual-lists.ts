import { manualText, manualWord } from './manual-text.ts';

/** An entry of a list: the macros of its head, and its text. */
export interface Item {
  head: readonly string[];
  text: string;
}

/** A list of terms, each with its text. */
export function list(items: readonly Item[]): string[] {
  if (items.length === 0) return [];
  return ['.Bl -tag -width Ds', ...items.flatMap(({ head, text }) => [...head, ...manualText(text)]), '.El'];
}

/** Lines as they are typed. */
export function literal(lines: readonly string[]): string[] {
  return ['.Bd -literal -offset indent', ...lines.map((line) => manualWord(line).replace(/^(?=\.)/, '\\&')), '.Ed'];
}

/** Texts with an empty line between them. */
export function paragraphs(texts: readonly string[]): string[] {
  return texts.flatMap((text, index) => [...(index === 0 ? [] : ['.Pp']), ...manualText(text)]);
}
