/**
 * Runs a suite of tests. Files that failed get one second look, alone, after all others have run; those that pass then
 * are named in the last lines, so that no retry is silent.
 *   scripts/test/main.ts SUITE [ARGUMENT OF VITEST...]
 */
import { join } from 'node:path';
import { parseCLI } from 'vitest/node';
import { COMMIT_VARIABLE, chosenCommit } from './chosen-commit.ts';
import { makeRunFolder } from './leftovers.ts';
import type { FailedFile, TestFile } from './run-record.ts';
import { runVitest } from './run-vitest.ts';
import { suites, TURN_VARIABLE } from './suites.ts';
import { isMended, judgeRun, judgeSecondLooks } from './verdict.ts';

/** A reporter that is named on the command line would replace those of the configuration, and these must stay. */
const REPORTERS = ['expected-skips', 'failed-files'].map((name) => `--reporter=./tests/harness/${name}.ts`);

/** Arguments of vitest for a suite. Without arguments of its own, long tests run by turns. */
function argumentsOf(suite: string, args: readonly string[]): string[] {
  const { projects = [], isInTurn } = suites[suite] ?? {};
  delete process.env[TURN_VARIABLE];
  if (isInTurn && args.length === 0) {
    process.env[TURN_VARIABLE] = 'yes';
    console.log(
      `a third of the long tests, chosen by ${process.env[COMMIT_VARIABLE]?.slice(0, 8)}; with "tests" all run`,
    );
  }
  const chosen = names(args, '--project') ? [] : projects.flatMap((each) => ['--project', each]);
  return [...chosen, ...args, ...(names(args, '--reporter') ? REPORTERS : [])];
}

const names = (args: readonly string[], option: string): boolean =>
  args.some((arg) => arg === option || arg.startsWith(`${option}=`));

/** Options of vitest that choose files, or how many run at once; a second look has its own. */
const CHOOSING = /^--(project|shard|changed|max-?workers)(=|$)/i;
/** Options whose value may look like a path. */
const WITH_VALUE = /^(-t|--(test-?name-?pattern|project|shard|max-?workers|reporter|exclude))$/i;

/** Arguments of a second look: those of the first one, without what chose its files. */
function argumentsForOne({ project }: TestFile, args: readonly string[], filters: readonly string[]): string[] {
  const kept = args.filter((arg, n) => {
    const before = args[n - 1] ?? '';
    if (WITH_VALUE.test(before)) return !CHOOSING.test(before);
    return !CHOOSING.test(arg) && !filters.includes(arg);
  });
  return ['--project', project, '--maxWorkers', '1', ...kept, ...(names(args, '--reporter') ? REPORTERS : [])];
}

/** Arguments that vitest takes, and with which a run would prove something else than it seems to. */
const REFUSED: readonly [RegExp, string][] = [
  [/^--$/, 'vitest ignores what follows "--": leave it out'],
  [/^[^-].*:\d+$/, 'tests are chosen by their names, not by their lines: -t NAME'],
  [/^(-w|--watch)(=|$)/, 'a run of a suite ends: run vitest itself to watch files'],
];

/** What is wrong with the arguments; undefined if nothing is. */
const obstacleIn = (args: readonly string[]): string | undefined =>
  args.flatMap((arg, n) => {
    if (WITH_VALUE.test(args[n - 1] ?? '')) return [];
    return REFUSED.flatMap(([form, remedy]) => (form.test(arg) ? [`${arg}: ${remedy}`] : []));
  })[0];

/** End of the runs of a suite. */
interface SuiteEnd {
  exitCode: number;
  interrupted?: NodeJS.Signals | undefined;
}

async function runSuite(suite: string, args: readonly string[], recordFile: string): Promise<SuiteEnd> {
  if (args.length === 1 && /^(-h|--help)$/.test(args[0] ?? ''))
    return { exitCode: (await runVitest(args, { recordFile })).exitCode ?? 1 };
  const { filter: filters } = parseCLI(['vitest', 'run', ...args]);
  const first = await runVitest(argumentsOf(suite, args), { recordFile });
  const verdict = judgeRun(first, names(args, '--shard') ? [] : filters);
  if ('exitCode' in verdict) {
    if (verdict.reason !== undefined && first.interrupted === undefined) console.error(`\n${verdict.reason}`);
    return { exitCode: verdict.exitCode, interrupted: first.interrupted };
  }
  return await lookAgain(verdict.lookAgain, (file) => argumentsForOne(file, args, filters), recordFile);
}

/** Runs each of the files again, without other tests beside it. */
async function lookAgain(
  files: readonly FailedFile[],
  argumentsFor: (file: TestFile) => string[],
  recordFile: string,
): Promise<SuiteEnd> {
  // A file that was added meanwhile would move the turns of all others.
  delete process.env[TURN_VARIABLE];
  const passed: FailedFile[] = [];
  const failed: FailedFile[] = [];
  for (const each of files) {
    console.log(`\nsecond look: ${each.file} (${each.project})`);
    const end = await runVitest([...argumentsFor(each), each.file], { recordFile });
    if (end.interrupted !== undefined) return { exitCode: 1, interrupted: end.interrupted };
    if (end.stalled !== undefined) console.error(`\n${end.stalled}`);
    (isMended(each, end) ? passed : failed).push(each);
  }
  const { exitCode, lines } = judgeSecondLooks(passed, failed);
  console.log(`\n${lines.join('\n')}`);
  return { exitCode };
}

async function main(suite: string, args: readonly string[]): Promise<SuiteEnd> {
  process.env[COMMIT_VARIABLE] = chosenCommit();
  using folder = makeRunFolder();
  // Tests start the connector and the agent hundreds of times, and compiling them takes half of each start.
  process.env['NODE_COMPILE_CACHE'] ??= join(folder.path, 'compiled');
  return await runSuite(suite, args, join(folder.path, 'record.json'));
}

const [suite = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(suites, suite)) {
  console.error(`test: unknown suite "${suite}": expected one of ${Object.keys(suites).join(', ')}`);
  process.exit(64);
}
const obstacle = obstacleIn(args);
if (obstacle !== undefined) {
  console.error(`test: ${obstacle}`);
  process.exit(64);
}
const { exitCode, interrupted } = await main(suite, args);
process.exitCode = exitCode;
if (interrupted !== undefined) process.kill(process.pid, interrupted);
