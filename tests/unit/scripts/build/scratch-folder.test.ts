import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startProcess } from '../../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const MODULE = resolve('scripts/build/scratch-folder.ts');

/** Makes two folders, gives one of them back, and then runs until a signal. */
const SCRIPT = `
  const { scratchFolder } = await import(${JSON.stringify(MODULE)});
  { using first = scratchFolder('.', 'first-'); }
  const kept = scratchFolder('.', 'second-');
  console.log(kept.path);
  setInterval(() => undefined, 1_000);
`;

for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  test(`a script that ${signal} ends leaves no folder of its own`, async () => {
    await using folder = await tempFolder();
    const script = startProcess({
      name: 'script',
      command: [process.execPath, '--input-type=module', '--eval', SCRIPT],
      cwd: folder.path,
    });
    await waitFor('the script runs on', () => script.output().includes('second-'), { process: script });
    expect(readdirSync(folder.path)).toEqual([script.output().trim()]);

    script.kill(signal);

    expect(await script.ended).toMatchObject({ exitCode: status });
    expect(readdirSync(folder.path)).toEqual([]);
  });
}
