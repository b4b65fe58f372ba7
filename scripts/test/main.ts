/**
 * Runs a suite of tests. Files that failed get one second look, alone, after all others have run; those that pass then
 * are named in the last lines, so that no retry is silent.
 *   scripts/test/main.ts SUITE [ARGUMENT OF VITEST...]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMIT_VARIABLE, chosenCommit } from './chosen-commit.ts';
import { FAILED_FILES_VARIABLE, type RunRecord, type TestFile } from './run-record.ts';
import { suites, TURN_VARIABLE } from './suites.ts';
import { isGreen, judgeRun, judgeSecondLooks, type RunEnd } from './verdict.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs vitest. A signal to this process is passed on to vitest, and ends this process as soon as vitest has ended. */
function runVitest(args: readonly string[], recordFile: string): Promise<RunEnd> {
  rmSync(recordFile, { force: true });
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    stdio: 'inherit',
    env: { ...process.env, [FAILED_FILES_VARIABLE]: recordFile },
  });
  const { promise, resolve, reject } = Promise.withResolvers<RunEnd>();
  const pass = (signal: NodeJS.Signals): void => {
    interrupted ??= signal;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  child.once('error', reject);
  child.once('exit', (exitCode, signal) => {
    for (const each of SIGNALS) process.off(each, pass);
    resolve({ exitCode, signal, record: readRecord(recordFile) });
  });
  return promise;
}

let interrupted: NodeJS.Signals | undefined;

function readRecord(file: string): RunRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunRecord;
  } catch {
    return undefined;
  }
}

/** Runs one file again, without other tests beside it. */
async function lookAgain({ project, file }: TestFile, rest: readonly string[], recordFile: string): Promise<boolean> {
  console.log(`\nsecond look: ${file} (${project})`);
  return isGreen(await runVitest(['--project', project, '--maxWorkers', '1', ...rest, file], recordFile));
}

/** The arguments that choose tests by their names. */
const namePattern = (args: readonly string[]): string[] =>
  args.filter((arg, n) => /^(-t|--testNamePattern)/.test(arg) || /^(-t|--testNamePattern)$/.test(args[n - 1] ?? ''));

/** Arguments of vitest for a suite. Without arguments of its own, long tests run by turns. */
function argumentsOf(suite: string, args: readonly string[]): string[] {
  const { projects = [], isInTurn } = suites[suite] ?? {};
  if (isInTurn && args.length === 0) process.env[TURN_VARIABLE] = 'yes';
  const chosen = args.includes('--project') ? [] : projects.flatMap((each) => ['--project', each]);
  return [...chosen, ...args];
}

async function runSuite(suite: string, args: readonly string[], recordFile: string): Promise<number> {
  const first = await runVitest(argumentsOf(suite, args), recordFile);
  const verdict = judgeRun(first);
  if (interrupted !== undefined || 'exitCode' in verdict) {
    if ('reason' in verdict && interrupted === undefined) console.error(`\n${verdict.reason}`);
    return 'exitCode' in verdict ? verdict.exitCode : 1;
  }
  const options = namePattern(args);
  const passed: TestFile[] = [];
  const failed: TestFile[] = [];
  for (const each of verdict.lookAgain) {
    ((await lookAgain(each, options, recordFile)) ? passed : failed).push(each);
    if (interrupted !== undefined) return 1;
  }
  const { exitCode, lines } = judgeSecondLooks(passed, failed);
  console.log(`\n${lines.join('\n')}`);
  return exitCode;
}

const [suite = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(suites, suite)) {
  console.error(`test: unknown suite "${suite}": expected one of ${Object.keys(suites).join(', ')}`);
  process.exit(64);
}
process.env[COMMIT_VARIABLE] = chosenCommit();
const folder = mkdtempSync(join(tmpdir(), 'homeport-tests.'));
// Tests start the connector and the agent hundreds of times, and compiling them takes half of each start.
process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled');
try {
  process.exitCode = await runSuite(suite, args, join(folder, 'record.json'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (interrupted !== undefined) process.kill(process.pid, interrupted);
