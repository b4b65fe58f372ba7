import type { RunRecord, TestFile } from './run-record.ts';

/** Most files that a run may give a second look. More failures have a common cause. */
export const SECOND_LOOKS = 5;

/** End of a run of vitest. */
export interface RunEnd {
  /** Exit status; null if a signal ended the run. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Undefined if the run did not reach its end. */
  record: RunRecord | undefined;
}

/** Consequence of the first run: it is over, or these files get a second look. */
export type FirstVerdict = { exitCode: number; reason?: string } | { lookAgain: TestFile[] };

/** Judges a run by its record; the exit status can only make it worse. */
export function judgeRun({ exitCode, signal, record }: RunEnd): FirstVerdict {
  const refuse = (reason: string, lines: readonly string[] = []): FirstVerdict => ({
    exitCode: exitCode || 1,
    reason: [`no second look: ${reason}`, ...lines.map((line) => `  ${line}`)].join('\n'),
  });
  if (signal !== null) return refuse(`${signal} ended the run`);
  if (record === undefined) return refuse('the run did not reach its end');
  const { failed, tests, faults } = record;
  if (faults.length > 0) return refuse('something other than a test went wrong:', faults);
  if (failed.length > SECOND_LOOKS)
    return refuse(`${failed.length} files failed, more than ${SECOND_LOOKS}:`, failed.map(nameOf));
  if (failed.length > 0) return { lookAgain: failed };
  if (tests === 0) return refuse('no test ran');
  return exitCode === 0 ? { exitCode } : refuse('no file of tests failed');
}

/** Whether the tests of this run passed, and at least one of them ran. */
export const isGreen = (end: RunEnd): boolean => {
  const verdict = judgeRun(end);
  return 'exitCode' in verdict && verdict.exitCode === 0;
};

/** The last lines of a run, and its exit status. */
export function judgeSecondLooks(
  passed: readonly TestFile[],
  failed: readonly TestFile[],
): { exitCode: number; lines: string[] } {
  const line = (title: string, files: readonly TestFile[]): string[] =>
    files.length === 0 ? [] : [`${title}: ${files.map(nameOf).join(', ')}`];
  return {
    exitCode: failed.length === 0 ? 0 : 1,
    lines: [...line('passed at the second look', passed), ...line('failed twice', failed)],
  };
}

const nameOf = ({ project, file }: TestFile): string => `${file} (${project})`;
