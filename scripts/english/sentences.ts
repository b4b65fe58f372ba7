/** A sentence of a comment, and where it begins. */
export interface Sentence {
  text: string;
  /** Counted from 1. */
  line: number;
}

/** Comments as the formatter leaves them: from the beginning of a line on. */
const COMMENT = /^[ \t]*(?:\/\*\*?([\s\S]*?)\*\/|((?:\/\/.*(?:\n[ \t]*(?=\/\/))?)+))/gm;
/** The end of a sentence: its mark, then white space and no small letter, as after "e.g.". */
const SENTENCE_END = /(?<=[.!?])\s+(?![a-z])/g;
/** Tags with their names, code, and addresses, which are not English. */
const TAG = /@(?:spec\s+\S+|see\s.*|example.*|param\s+\S+|throws(?:\s+[A-Z]\w*)?|\w+)/g;
const CODE = /`[^`]*`|\{@link[^}]*\}|https?:\S+/g;
const FEWEST_WORDS = 3;

/** The sentences of a TypeScript file's comments; each tag of a docstring begins one. */
export function sentencesOf(source: string): Sentence[] {
  return [...source.matchAll(COMMENT)].flatMap(({ 0: whole, 1: block, 2: lines, index }) => {
    const firstLine = lineAt(source, index + whole.search(/\S/));
    const text = (block ?? lines ?? '').replaceAll(/^[ \t]*(?:\/\/|\*)[ \t]?/gm, '');
    return split(text, firstLine);
  });
}

function split(text: string, firstLine: number): Sentence[] {
  const ends = [...text.matchAll(SENTENCE_END), ...text.matchAll(/\n[ \t]*\n|\n(?=@)/g)].map(({ index }) => index);
  const bounds = [0, ...ends.toSorted((a, b) => a - b), text.length];
  return bounds.slice(1).flatMap((end, index) => {
    const start = bounds[index] ?? 0;
    const part = text.slice(start, end);
    const words = part.replaceAll(TAG, ' ').replaceAll(CODE, 'CODE').replaceAll(/\s+/g, ' ').trim();
    if (words.split(' ').length < FEWEST_WORDS) return [];
    return [{ text: words, line: firstLine + lineAt(text, start + part.search(/\S/)) - 1 }];
  });
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;
