import { nixString } from './nix-text.ts';
import { GenerateError } from './option-tree.ts';

/** A type as an expression of Nix, and in words for a reader. */
export interface TypeTexts {
  nix: string;
  words: string;
}

/** Bounds of a number, both inclusive. */
export interface NumberBounds {
  min: number | undefined;
  max: number | undefined;
  whole: boolean;
}

/** The type of a number within bounds. `types.float` is avoided: it refuses 1. */
export function numberTexts({ min, max, whole }: NumberBounds, path: string): TypeTexts {
  const word = whole ? 'integer' : 'number';
  const family = whole ? 'types.ints' : 'types.numbers';
  if (min === undefined && max === undefined) return { nix: whole ? 'types.int' : 'types.number', words: word };
  if (min !== undefined && max !== undefined) {
    return { nix: `${family}.between ${nixNumber(min)} ${nixNumber(max)}`, words: `${word}, ${min} to ${max}` };
  }
  if (max === undefined && min === 0) {
    return { nix: whole ? `${family}.unsigned` : `${family}.nonnegative`, words: `${word}, 0 or more` };
  }
  if (max === undefined && min === 1 && whole) return { nix: `${family}.positive`, words: `${word}, 1 or more` };
  throw new GenerateError(path, 'Nix has no type for these bounds: give both');
}

/** A number as an argument of a function. */
function nixNumber(value: number): string {
  return value < 0 ? `(${value})` : String(value);
}

/** The type of one word out of a few. */
export function choiceTexts(values: readonly string[]): TypeTexts {
  return {
    nix: `types.enum [ ${values.map(nixString).join(' ')} ]`,
    words: `one of ${values.map((value) => `\`${value}\``).join(', ')}`,
  };
}
