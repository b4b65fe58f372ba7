import { stripFormatting } from './formatting.ts';

/**
 * The form in which texts are searched: without formatting, lower case, composed (NFC). Folded here and nowhere else,
 * because databases disagree about case; the final sigma counts as the other one, for it depends on what follows.
 */
export function foldText(text: string): string {
  return stripFormatting(text).toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}
