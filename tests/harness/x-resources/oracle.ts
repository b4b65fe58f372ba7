import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = 'tests/harness/x-resources/oracle.c';
const FOLDER = '.cache/x-resources';

/** Deadline in milliseconds, longer than the longest run: thousands of databases. */
const DEADLINE_MS = 300_000;

const ANSWERS_MAX_BYTES = 256 * 1_024 * 1_024;

/**
 * A command of the oracle program, with its argument: text whose parts are separated by `PART`, one character a byte.
 */
export type Command = readonly [
  name: 'reset' | 'text' | 'file' | 'line' | 'option' | 'arguments' | 'get' | 'geometry' | 'display',
  argument: string,
];

/** Separators between the parts of an argument, and between the levels of a path. */
export const PART = '\x1f';
const LEVEL = '\x1e';

export const getCommand = (names: readonly string[], classes: readonly string[]): Command => [
  'get',
  names.join(LEVEL) + PART + classes.join(LEVEL),
];

/** Returns the answers of libX11 and libXt, one for each command that has one; undefined is "no such resource". */
export function askLibraries(
  commands: readonly Command[],
  environment: Readonly<Record<string, string | undefined>> = {},
): (string | undefined)[] {
  const input = commands.map(([name, argument]) => `${name} ${argument.length}\n${argument}\n`).join('');
  const output = execFileSync(compiledOracle(), {
    input: Buffer.from(input, 'latin1'),
    env: environment,
    timeout: DEADLINE_MS,
    maxBuffer: ANSWERS_MAX_BYTES,
    stdio: ['pipe', 'pipe', 'ignore'],
  }).toString('latin1');
  const answers: (string | undefined)[] = [];
  for (let at = 0; at < output.length; ) {
    const lineEnd = output.indexOf('\n', at);
    const head = output.slice(at, lineEnd);
    const length = head === '-' ? undefined : Number(head);
    answers.push(length === undefined ? undefined : output.slice(lineEnd + 1, lineEnd + 1 + length));
    at = lineEnd + 1 + (length === undefined ? 0 : length + 1);
  }
  return answers;
}

/** Compiles the program where it is older than its source. */
function compiledOracle(): string {
  const program = join(process.cwd(), FOLDER, 'oracle');
  if (existsSync(program) && statSync(program).mtimeMs > statSync(SOURCE).mtimeMs) return program;
  mkdirSync(FOLDER, { recursive: true });
  const unfinished = `${program}.${process.pid}`;
  execFileSync('cc', ['-O1', '-w', '-o', unfinished, SOURCE, '-lXt', '-lX11'], { timeout: DEADLINE_MS });
  renameSync(unfinished, program);
  return program;
}
