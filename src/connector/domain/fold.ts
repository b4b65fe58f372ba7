import { stripFormatting } from './formatting.ts';

/**
 * Returns the form in which texts are searched: without formatting, lower case, composed (NFC). Only this code folds,
 * because databases disagree about case. The two small sigmas count as one letter: the following letter decides which
 * of them is written.
 */
export function foldText(text: string): string {
  return stripFormatting(text).toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}
