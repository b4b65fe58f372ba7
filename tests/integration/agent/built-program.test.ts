import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { tempFolder } from '../../harness/temp-folder.ts';

const DEADLINE_MS = 120_000;

/** Runs the built agent to its end. */
async function run(...words: string[]): Promise<{ exitCode: number | undefined; output: string }> {
  const { exitCode, all } = await execa(process.execPath, ['dist/agent.cjs', ...words], {
    all: true,
    reject: false,
    timeout: DEADLINE_MS,
  });
  return { exitCode, output: all };
}

test('the built agent reports what is wrong with a configuration', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'agent.json');
  writeFileSync(file, '{ "agent": { "tokenFile": "/token", "wiregaurd": true } }');
  expect(await run('check-config', file)).toEqual({
    exitCode: 78,
    output: expect.stringContaining('agent.wiregaurd: unknown option, did you mean wireguard?'),
  });

  writeFileSync(file, '{ "agent": ');
  expect(await run('run', '--config', file)).toEqual({
    exitCode: 78,
    output: expect.stringContaining('line 1, column 12: expected a value, received the end of the file'),
  });
});
