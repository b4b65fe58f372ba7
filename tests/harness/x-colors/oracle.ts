import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = 'tests/harness/x-colors/oracle.c';
const FOLDER = '.cache/x-colors';

/** Deadline in milliseconds, longer than the longest run: thousands of colours. */
const DEADLINE_MS = 300_000;

/**
 * Returns libX11's reading of colours on a display: channels of 8 bits as hexadecimal digits; undefined for text that
 * is not a colour.
 */
export function askLibrary(
  specs: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): (string | undefined)[] {
  const output = execFileSync(compiledOracle(), {
    input: `${specs.join('\n')}\n`,
    env: environment,
    timeout: DEADLINE_MS,
    stdio: ['pipe', 'pipe', 'ignore'],
  }).toString('latin1');
  return output
    .trimEnd()
    .split('\n')
    .map((line) => (line === '-' ? undefined : line));
}

/** Compiles the program where it is older than its source. */
function compiledOracle(): string {
  const program = join(process.cwd(), FOLDER, 'oracle');
  if (existsSync(program) && statSync(program).mtimeMs > statSync(SOURCE).mtimeMs) return program;
  mkdirSync(FOLDER, { recursive: true });
  const unfinished = `${program}.${process.pid}`;
  execFileSync('cc', ['-O1', '-w', '-o', unfinished, SOURCE, '-lX11'], { timeout: DEADLINE_MS });
  renameSync(unfinished, program);
  return program;
}
