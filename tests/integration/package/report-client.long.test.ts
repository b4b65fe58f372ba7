import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { AGENT_TOKEN, startAgent } from '../../harness/start-agent.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

test('the published package works in plain Node and has types', async () => {
  await using agent = await startAgent();
  await using folder = await tempFolder();
  const modules = join(folder.path, 'node_modules');
  mkdirSync(modules);
  const packed = await execa('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder.path]);
  await execa('tar', ['-xzf', join(folder.path, packed.stdout.trim()), '-C', modules]);
  await execa('mv', [join(modules, 'package'), join(modules, 'homeport')]);
  for (const name of ['zod', '@types']) symlinkSync(resolve('node_modules', name), join(modules, name));
  const program = `import { fetchReport, type HostReport } from 'homeport/report';
const result = await fetchReport({ baseUrl: '${agent.baseUrl}', token: '${AGENT_TOKEN}' });
const load: HostReport['load'] = result.ok ? result.report.load : undefined;
console.log(result.ok, load?.length);
`;
  writeFileSync(join(folder.path, 'hub.mts'), program);

  const run = await execa(process.execPath, ['hub.mts'], { cwd: folder.path, reject: false });
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  const check = await execa('tsc', [...options, 'hub.mts'], {
    cwd: folder.path,
    preferLocal: true,
    localDir: '.',
    reject: false,
  });

  expect(`${run.stdout}${run.stderr}`).toBe('true 3');
  expect(check.stdout).toBe('');
});
