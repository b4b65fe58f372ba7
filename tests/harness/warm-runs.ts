import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SourceMutation } from '../conformance/requirements/connector-mutations.ts';
import { type ProvedRequirement, titlePattern } from '../conformance/requirements/proved.ts';

const RUN_DEADLINE_MS = 180_000;

/** Changes that are in force while tests run. */
export interface Change {
  mutation?: SourceMutation;
  /** Variables for the programs that the tests start. */
  env?: Readonly<Record<string, string>>;
}

export interface Outcome {
  title: string;
  status: 'passed' | 'failed';
  /** Reasons why it failed. */
  reasons: string[];
  /** Duration in milliseconds. */
  ms: number;
}

/** Request to a runner. */
export interface RunRequest extends Change {
  files: string[];
  /** Which tests of the files to run, as the source of a regular expression. */
  titles: string;
}

export interface WarmRunsOptions {
  /** Number of runs that take place side by side. */
  atOnce: number;
  testTimeoutMs: number;
}

/**
 * Runs chosen tests again and again, each time under another change; the mutation tests rely on it. It owns `atOnce`
 * programs, which stay: the test runner and what it makes of each source are loaded once, and only the tests themselves
 * begin anew.
 */
export class WarmRuns implements AsyncDisposable {
  readonly #testTimeoutMs: number;
  readonly #idle: ChildProcess[];
  readonly #waiting: ((runner: ChildProcess) => void)[] = [];

  constructor({ atOnce, testTimeoutMs }: WarmRunsOptions) {
    this.#testTimeoutMs = testTimeoutMs;
    this.#idle = Array.from({ length: atOnce }, () => this.#start());
  }

  /** Returns the outcomes of these tests under a change. @throws Error when they do not come to an end */
  async outcomesOf(proofs: readonly ProvedRequirement[], change: Change = {}): Promise<Outcome[]> {
    const runner = this.#idle.pop() ?? (await this.#next());
    const request: RunRequest = {
      ...change,
      files: [...new Set(proofs.map(({ file }) => file))],
      titles: [...new Set(proofs.map(({ title }) => titlePattern(title)))].join('|'),
    };
    try {
      const outcomes = await answerOf(runner, request);
      this.#giveBack(runner);
      return outcomes;
    } catch (error) {
      runner.kill('SIGKILL');
      this.#giveBack(this.#start());
      throw error;
    }
  }

  /** Like `outcomesOf`, file by file, so that as much goes on at once as when many changes are tried. */
  async outcomesByFile(proofs: readonly ProvedRequirement[], change: Change = {}): Promise<Outcome[]> {
    const byFile = [...Map.groupBy(proofs, ({ file }) => file).values()];
    return (await Promise.all(byFile.map((each) => this.outcomesOf(each, change)))).flat();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = this.#idle.map((runner) => once(runner, 'exit'));
    for (const runner of this.#idle) runner.disconnect();
    await Promise.all(ended);
  }

  #start(): ChildProcess {
    return fork(join(import.meta.dirname, 'warm-runs-main.ts'), [String(this.#testTimeoutMs)], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  #next(): Promise<ChildProcess> {
    const { promise, resolve } = Promise.withResolvers<ChildProcess>();
    this.#waiting.push(resolve);
    return promise;
  }

  #giveBack(runner: ChildProcess): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(runner);
    else next(runner);
  }
}

async function answerOf(runner: ChildProcess, request: RunRequest): Promise<Outcome[]> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(RUN_DEADLINE_MS)]);
  const answer = once(runner, 'message', { signal });
  const end = once(runner, 'exit', { signal });
  end.catch(() => undefined);
  runner.send(request);
  try {
    const [outcomes] = await Promise.race([
      answer,
      end.then(() => {
        throw new Error('the tests ended without an answer');
      }),
    ]);
    return outcomes as Outcome[];
  } finally {
    over.abort();
  }
}
