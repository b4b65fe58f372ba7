import { normalize, resolve } from 'node:path';
import type { FailedFile, RunRecord, TestFile } from './run-record.ts';

/** Most files that a run may give a second look. More failures have a common cause. */
export const SECOND_LOOKS = 5;

/** End of a run of vitest. */
export interface RunEnd {
  /** Exit status; null if a signal ended the run. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** The signal by which a person has ended the run. */
  interrupted?: NodeJS.Signals | undefined;
  /** Why the run was killed without a person. */
  stalled?: string | undefined;
  /** Undefined if the run did not reach its end. */
  record: RunRecord | undefined;
}

/** Consequence of the first run: it is over, or these files get a second look. */
export type FirstVerdict = { exitCode: number; reason?: string } | { lookAgain: FailedFile[] };

/**
 * Judges a run by its record; the exit status can only make it worse.
 * @param filters parts of paths that chose the files of the run
 */
export function judgeRun(
  { exitCode, signal, interrupted, stalled, record }: RunEnd,
  filters: readonly string[] = [],
): FirstVerdict {
  const refuse = (reason: string, lines: readonly string[] = []): FirstVerdict => ({
    exitCode: exitCode || 1,
    reason: [`no second look: ${reason}`, ...lines.map((line) => `  ${line}`)].join('\n'),
  });
  if (stalled !== undefined) return refuse(stalled);
  const ending = interrupted ?? signal;
  if (ending !== null) return refuse(`${ending} ended the run`);
  if (record === undefined) return refuse('the run did not reach its end');
  const { files, failed, passed, faults } = record;
  if (faults.length > 0) return refuse('something other than a test went wrong:', faults);
  const unused = filters.filter((filter) => !files.some((file) => isChosenBy(filter, file)));
  if (unused.length > 0) return refuse('no file of these suites has such a path:', unused);
  if (failed.length > SECOND_LOOKS)
    return refuse(`${failed.length} files failed, more than ${SECOND_LOOKS}:`, failed.map(nameOf));
  if (failed.length > 0) return { lookAgain: failed };
  if (passed.length === 0) return refuse('no test ran');
  return exitCode === 0 ? { exitCode } : refuse('no file of tests failed');
}

/** Vitest takes a part of an absolute path. */
const isChosenBy = (filter: string, file: string): boolean => resolve(file).includes(normalize(filter));

/** Whether the run passed, and all tests of the file took part in it. */
export function isMended({ tests }: FailedFile, end: RunEnd): boolean {
  const verdict = judgeRun(end);
  if (!('exitCode' in verdict) || verdict.exitCode !== 0) return false;
  const left = [...(end.record?.passed ?? []), ...(end.record?.skipped ?? [])];
  return tests.every((test) => {
    const place = left.indexOf(test);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}

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
