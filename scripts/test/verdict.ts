import type { RunRecord, TestFile } from './run-record.ts';

/** Most files that a run may give a second look. More failures have a common cause. */
export const SECOND_LOOKS = 5;

/** Consequence of the first run: it is over, or these files get a second look. */
export type FirstVerdict = { exitCode: number; reason?: string } | { lookAgain: TestFile[] };

/** @param record results of the run; undefined if it could not finish */
export function judgeRun(exitCode: number, record: RunRecord | undefined): FirstVerdict {
  if (exitCode === 0) return { exitCode };
  if (record === undefined) return { exitCode, reason: 'no second look: the run did not finish' };
  if (record.faults.length > 0) return { exitCode, reason: `no second look:\n${indent(record.faults)}` };
  if (record.failed.length === 0) return { exitCode, reason: 'no second look: no file of tests failed' };
  if (record.failed.length > SECOND_LOOKS)
    return {
      exitCode,
      reason: `no second look: ${record.failed.length} files failed, more than ${SECOND_LOOKS}:\n${indent(record.failed.map(nameOf))}`,
    };
  return { lookAgain: record.failed };
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

const indent = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n');
