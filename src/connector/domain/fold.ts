import { stripFormatting } from './formatting.ts';

/**
 * The form in which texts are searched: without formatting, lower case, composed (NFC). Only this code folds,
 * because databases disagree about case. The two small sigmas count as one letter: which one is written depends on what follows.
 */
export function foldText(text: string): string {
  return stripFormatting(text).toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}
