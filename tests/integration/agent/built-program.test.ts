import { cpSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { VERSION } from '../../../src/kernel/version.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const DEADLINE_MS = 20_000;

/** Path of the built program in `dist`, without its ending. */
function builtProgram(dist: string): string {
  const scripts = readdirSync(join(dist, 'agent-parts')).filter((name) => /^program-\w+\.js$/.test(name));
  expect(scripts).toHaveLength(1);
  return join(dist, 'agent-parts', String(scripts[0]).replace(/\.js$/, ''));
}

/** Runs the built agent to its end. @param dist its folder, or the launcher to use */
async function run(dist: string, ...words: string[]): Promise<{ exitCode: number | undefined; output: string }> {
  const { exitCode, all } = await execa(
    process.execPath,
    [/\.[cm]js$/.test(dist) ? dist : join(dist, 'agent.cjs'), ...words],
    {
      all: true,
      reject: false,
      timeout: DEADLINE_MS,
    },
  );
  return { exitCode, output: all };
}

/** A copy of the built agent that may be damaged. */
function copyOfBuild(folder: string): string {
  cpSync('dist/agent.cjs', join(folder, 'agent.cjs'));
  cpSync('dist/agent-parts', join(folder, 'agent-parts'), { recursive: true });
  return folder;
}

test('the code cache that was built is the one that this Node takes', async () => {
  const program = JSON.stringify(builtProgram('dist'));
  const question = `const { readFileSync } = require('node:fs');
    const cachedData = readFileSync(${program} + '.cache');
    process.stdout.write(String(new vm.Script(readFileSync(${program} + '.js', 'latin1'), { cachedData }).cachedDataRejected));`;

  const { stdout } = await execa(process.execPath, ['-e', question], { timeout: DEADLINE_MS });

  expect(stdout).toBe('false');
});

test('both launchers start the same program', async () => {
  expect(await run('dist/agent.mjs', '--help')).toEqual(await run('dist/agent.cjs', '--help'));
});

for (const [state, damage] of [
  ['missing', (file: string) => rmSync(file)],
  ['empty', (file: string) => truncateSync(file)],
  ['cut', (file: string) => truncateSync(file, 10_000)],
  ['something else', (file: string) => writeFileSync(file, 'x'.repeat(100_000))],
] as const) {
  test(`with a code cache that is ${state} the agent runs all the same`, async () => {
    await using folder = await tempFolder();
    const dist = copyOfBuild(folder.path);
    damage(`${builtProgram(dist)}.cache`);

    expect(await run(dist, '--version')).toEqual({ exitCode: 0, output: `homeport-agent ${VERSION}` });
  });
}

test('the built agent loads what it needs to tell what is wrong with a configuration', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'agent.json');
  writeFileSync(file, '{ "agent": { "tokenFile": "/token", "wiregaurd": true } }');
  expect(await run('dist', 'check-config', file)).toEqual({
    exitCode: 78,
    output: expect.stringContaining('agent.wiregaurd: unknown option, did you mean wireguard?'),
  });

  writeFileSync(file, '{ "agent": ');
  expect(await run('dist', 'run', '--config', file)).toEqual({
    exitCode: 78,
    output: expect.stringContaining('line 1, column 12: expected a value, received the end of the file'),
  });
});
