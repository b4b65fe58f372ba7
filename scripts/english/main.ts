/**
 * main.ts [--list PATTERN]
 * Counts the sentences of all comments that have certain words, and fails where their share is above the ceiling of a
 * pattern. --list prints the places of the patterns whose name contains the words.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { patterns } from './patterns.ts';
import { type Sentence, sentencesOf } from './sentences.ts';

const FOLDERS = ['src', 'schemas', 'scripts', 'bench', 'tests'];

const { values: options } = parseArgs({ options: { list: { type: 'string' } } });
const files = execFileSync('git', ['ls-files', '-z', '--', ...FOLDERS.map((folder) => `:(glob)${folder}/**/*.ts`)], {
  encoding: 'utf8',
}).split('\0');
const sentences = files
  .filter((file) => file !== '')
  .flatMap((file) => sentencesOf(readFileSync(file, 'utf8')).map((sentence) => ({ file, ...sentence })));

console.log(`${sentences.length} sentences in comments`);
for (const { name, matches, ceiling } of patterns) {
  const found = sentences.filter(({ text }) => matches.test(text));
  const share = (100 * found.length) / sentences.length;
  const isAbove = share > ceiling;
  console.log(`${name.padEnd(34)}${share.toFixed(2).padStart(6)} %  at most ${ceiling} %${isAbove ? '  ABOVE' : ''}`);
  if (options.list !== undefined && name.includes(options.list)) for (const place of found) print(place);
  if (isAbove) process.exitCode = 1;
}
if (process.exitCode === 1) {
  console.log('places: node scripts/english/main.ts --list WORDS; write them with a subject and a verb');
}

function print({ file, line, text }: Sentence & { file: string }): void {
  console.log(`  ${file}:${line}: ${text}`);
}
