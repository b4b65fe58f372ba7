import { spawnTermprog } from '../../harness/start-termprog.ts';

/** The lines by the names of what they are about. */
export async function runSelfTest(
  environment: Record<string, string | undefined>,
  args: readonly string[] = ['-self-test'],
) {
  const process = spawnTermprog(args, environment);
  const { exitCode } = await process.ended;
  const [head, ...lines] = process.output().trimEnd().split('\n');
  const found = lines.map((line) => /^(\w+) +(.+?) {2,}(.+)$/.exec(line) ?? []);
  return {
    status: exitCode,
    head,
    verdicts: new Map(found.map(([, verdict = '', name = '']) => [name, verdict])),
    texts: new Map(found.map(([, , name = '', text = '']) => [name, text])),
  };
}
