/** Runs tests whenever it is asked to, with something changed each time. @see WarmRuns */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createVitest, type TestCase } from 'vitest/node';
import type { SourceMutation } from '../conformance/requirements/connector-mutations.ts';
import type { Outcome, RunRequest } from './warm-runs.ts';

const HOOK_TIMEOUT_MS = 60_000;

let mutation: SourceMutation | undefined;

const vitest = await createVitest(
  {
    config: false,
    watch: false,
    cache: false,
    silent: true,
    reporters: [{}],
    isolate: false,
    maxWorkers: 1,
    testTimeout: Number(process.argv[2]),
    hookTimeout: HOOK_TIMEOUT_MS,
    // A module that is kept there would be that of another change, or of the unchanged source.
    fsModuleCache: false,
  },
  {
    plugins: [
      {
        name: 'source mutation',
        enforce: 'pre',
        // The file itself stays as it is.
        load(id) {
          if (mutation === undefined || id !== resolve(mutation.file)) return undefined;
          const { from, to } = mutation;
          return readFileSync(id, 'utf8').replace(from, () => to);
        },
      },
    ],
  },
);

async function run({ files, titles, mutation: next, env }: RunRequest): Promise<Outcome[]> {
  for (const each of [mutation, next]) if (each !== undefined) vitest.invalidateFile(resolve(each.file));
  mutation = next;
  // Those who run the tests inherit them.
  Object.assign(process.env, env);
  const project = vitest.getRootProject();
  const specifications = files.map((file) =>
    project.createSpecification(resolve(file), { testNamePattern: new RegExp(titles) }),
  );
  await vitest.runTestSpecifications(specifications);
  return specifications
    .flatMap(({ testModule }) => [...(testModule?.children.allTests() ?? [])])
    .flatMap((test) => outcomeOf(test) ?? []);
}

/** Undefined for a test that was left out. */
function outcomeOf(test: TestCase): Outcome | undefined {
  const { state, errors } = test.result();
  if (state !== 'passed' && state !== 'failed') return undefined;
  const reasons = (errors ?? []).map(({ message }) => message);
  return { title: test.name, status: state, reasons, ms: test.diagnostic()?.duration ?? 0 };
}

process.on('message', async (request: RunRequest) => {
  process.send?.(await run(request));
});
process.once('disconnect', async () => {
  await vitest.close();
  process.exit();
});
