/** One thing the check proves, as the table shows it. */
export interface Step {
  program: 'connector' | 'agent' | 'termprog';
  /** Sentence that is true when the step succeeds. */
  proves: string;
  run: () => Promise<void>;
}

export interface StepResult {
  program: string;
  proves: string;
  outcome: 'proved' | 'FAILED' | 'not tried';
  ms: number;
  reason?: string;
}

/** Deadline of a step, so that the check cannot hang. */
const STEP_DEADLINE_MS = 45_000;

/** Runs the steps in order; after a failure the later steps of the same program, which build on it, are not tried. */
export async function runSteps(steps: readonly Step[], report: (result: StepResult) => void): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) {
    const blocked = results.some(({ program, outcome }) => program === step.program && outcome === 'FAILED');
    const result: StepResult = blocked
      ? { program: step.program, proves: step.proves, outcome: 'not tried', ms: 0 }
      : await runStep(step);
    results.push(result);
    report(result);
  }
  return results;
}

async function runStep({ program, proves, run }: Step): Promise<StepResult> {
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no result after ${STEP_DEADLINE_MS / 1000} s`)), STEP_DEADLINE_MS);
  try {
    await Promise.race([run(), deadline]);
    return { program, proves, outcome: 'proved', ms: elapsed() };
  } catch (error) {
    return {
      program,
      proves,
      outcome: 'FAILED',
      ms: elapsed(),
      reason: error instanceof Error ? error.message : String(error),
    };
  } finally {
    clearTimeout(timer);
  }
}

/** The closing table: one row a step, then the failures in full. */
export function formatResults(results: readonly StepResult[]): string {
  const rows = [
    { program: 'program', proves: 'what was proved', outcome: 'result', time: 'time' },
    ...results.map(({ program, proves, outcome, ms }) => ({ program, proves, outcome, time: `${ms} ms` })),
  ];
  const width = (key: 'program' | 'proves' | 'outcome' | 'time'): number =>
    Math.max(...rows.map((row) => row[key].length));
  const lines = rows.map(
    (row) =>
      `| ${row.program.padEnd(width('program'))} | ${row.proves.padEnd(width('proves'))} | ${row.outcome.padEnd(width('outcome'))} | ${row.time.padStart(width('time'))} |`,
  );
  const rule = `|${(['program', 'proves', 'outcome', 'time'] as const).map((key) => '-'.repeat(width(key) + 2)).join('|')}|`;
  const reasons = results
    .filter(({ reason }) => reason !== undefined)
    .map(({ proves, reason }) => `\n${proves}: ${reason}`);
  return [lines[0], rule, ...lines.slice(1), ...reasons].join('\n');
}
