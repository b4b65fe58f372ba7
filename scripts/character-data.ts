/**
 * Writes the table of character widths and cluster classes that the terminal uses:
 *
 *   npm pack get-east-asian-width@1.4.0 && tar xzf get-east-asian-width-1.4.0.tgz && node scripts/character-data.ts package
 *
 * Node knows all of Unicode but East_Asian_Width, which the package has; both must be of one version of Unicode. It is
 * no dependency, because it is needed once a year, with a Node of a new version of Unicode.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CLUSTER_CLASS, type ClusterClass, VARIATION_BASE } from '../src/termprog/engine/width/character-properties.ts';

const TARGET = 'src/termprog/engine/width/character-data.ts';
const CODE_POINTS = 0x11_0000;
const LINE_CHARACTERS = 110;
const CLASS_SHIFT = 2;

interface EastAsianWidth {
  eastAsianWidthType(codePoint: number): string;
}

/**
 * Characters whose effect on their neighbours is tested: a consonant, a mark that links it to the next, a pictograph,
 * the joiner.
 */
const CONSONANT = '\u0915';
const LINKER = '\u094d';
const PICTOGRAPH = '\u{1f469}';
const JOINER = '\u200d';
const MARK = '\u0301';

/** Jamo of Hangul: leading consonant, vowel, final consonant. */
const [LEADING, VOWEL, FINAL] = ['\u1100', '\u1161', '\u11a8'] as const;

const folder = process.argv[2];
if (folder === undefined) {
  process.stderr.write('usage: node scripts/character-data.ts FOLDER (of the unpacked package get-east-asian-width)\n');
  process.exitCode = 64;
} else {
  const package_ = (await import(pathToFileURL(resolve(folder, 'index.js')).href)) as EastAsianWidth;
  writeFileSync(TARGET, formatSource(runsOf(readProperties(package_))));
  process.stdout.write(`wrote ${TARGET} for Unicode ${process.versions.unicode}\n`);
}

function readProperties(package_: EastAsianWidth): Uint8Array {
  const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const isOne = (text: string): boolean => [...clusters.segment(text)].length === 1;
  return Uint8Array.from({ length: CODE_POINTS }, (_, code) => {
    const character = String.fromCodePoint(code);
    const base = /\p{Emoji}/u.test(character) ? VARIATION_BASE : 0;
    return widthOf(code, character, package_) | (classOf(code, character, isOne) << CLASS_SHIFT) | base;
  });
}

/** Cells of a code point alone, by the rules of wcwidth(3) in the GNU C library. */
function widthOf(code: number, character: string, { eastAsianWidthType }: EastAsianWidth): 0 | 1 | 2 {
  // A soft hyphen is shown; a mark that precedes numbers encloses them and takes room.
  const isShown = code === 0xad || isPrependedMark(code);
  if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(character) && !isShown) return 0;
  // Vowels and final consonants of Hangul are drawn in the cells of the consonant before them.
  if ((code >= 0x1160 && code <= 0x11ff) || (code >= 0xd7b0 && code <= 0xd7fb)) return 0;
  // Circled numbers on black squares are of ambiguous width, and wide in the C library.
  if (code >= 0x3248 && code <= 0x324f) return 2;
  return ['wide', 'fullwidth'].includes(eastAsianWidthType(code)) ? 2 : 1;
}

/** The property Prepended_Concatenation_Mark, which Node's patterns do not have. */
function isPrependedMark(code: number): boolean {
  return (code >= 0x600 && code <= 0x605) || [0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x1_10bd, 0x1_10cd].includes(code);
}

/** The class of a code point, found by what Node's segmenter does with it. */
function classOf(code: number, character: string, isOne: (text: string) => boolean): ClusterClass {
  if (character === JOINER) return CLUSTER_CLASS.zeroWidthJoiner;
  if (/\p{Regional_Indicator}/u.test(character)) return CLUSTER_CLASS.regionalIndicator;
  if (/\p{Extended_Pictographic}/u.test(character)) return CLUSTER_CLASS.pictographic;
  if (isSurrogate(code) || !isOne(character + MARK)) return CLUSTER_CLASS.control;
  if (isOne(`a${character}`)) return extendingClassOf(character, isOne);
  if (isOne(`${character}a`)) return CLUSTER_CLASS.prepend;
  if (isOne(CONSONANT + LINKER + character)) return CLUSTER_CLASS.consonant;
  return hangulClassOf(character, isOne);
}

function extendingClassOf(character: string, isOne: (text: string) => boolean): ClusterClass {
  if (isOne(CONSONANT + character + CONSONANT)) return CLUSTER_CLASS.linker;
  if (isOne(CONSONANT + LINKER + character + CONSONANT)) return CLUSTER_CLASS.extendConjunct;
  return isOne(PICTOGRAPH + character + JOINER + PICTOGRAPH) ? CLUSTER_CLASS.extend : CLUSTER_CLASS.spacingMark;
}

function hangulClassOf(character: string, isOne: (text: string) => boolean): ClusterClass {
  if (isOne(character + LEADING)) return CLUSTER_CLASS.hangulL;
  // One class for all syllables keeps the table small; the program distinguishes them by number.
  if (isOne(LEADING + character)) return isOne(VOWEL + character) ? CLUSTER_CLASS.hangulV : CLUSTER_CLASS.hangulLVT;
  return isOne(FINAL + character) ? CLUSTER_CLASS.hangulT : CLUSTER_CLASS.other;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function runsOf(properties: Uint8Array): string[] {
  const runs: string[] = [];
  for (let start = 0; start < CODE_POINTS; ) {
    let end = start;
    while (end < CODE_POINTS && properties[end] === properties[start]) end += 1;
    runs.push(`${(end - start).toString(36)}:${(properties[start] as number).toString(36)}`);
    start = end;
  }
  return runs;
}

function formatSource(runs: readonly string[]): string {
  const lines: string[] = [];
  for (const run of runs) {
    const line = lines.at(-1);
    if (line === undefined || line.length + run.length >= LINE_CHARACTERS) lines.push(run);
    else lines[lines.length - 1] = `${line} ${run}`;
  }
  return `// Written by scripts/character-data.ts; do not edit.

/** Version of Unicode. */
export const UNICODE_VERSION = '${process.versions.unicode}';

/** Runs of code points with equal properties, as \`length:properties\` to the base 36; see character-properties.ts. */
export const CHARACTER_RUNS = \`
${lines.join('\n')}
\`;
`;
}
