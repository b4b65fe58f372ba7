import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type ManagedProcess, startProcess } from '../../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const MODULE = resolve('scripts/build/lock-build.ts');

/** Takes the lock of the checkout in its working directory, says so, and then does something. */
const holding = (then: string) =>
  `const { lockBuild } = await import(${JSON.stringify(MODULE)}); lockBuild(); console.log('locked'); ${then}`;

const start = (cwd: string, then = '') =>
  startProcess({ name: 'build', command: [process.execPath, '--input-type=module', '--eval', holding(then)], cwd });

test('a second build of a checkout waits until the first one ends, even if that is killed', async () => {
  await using folder = await tempFolder();
  const first = await startHolding(folder.path);
  const second = start(folder.path);
  const waiting = 'waiting for another build or release of this checkout to end\n';
  await waitFor('the second one waits', () => second.output() === waiting, { process: second });

  first.kill('SIGKILL');

  expect(await second.ended).toMatchObject({ exitCode: 0 });
  expect(second.output()).toBe(`${waiting}locked\n`);
});

test('builds of two checkouts do not wait for each other', async () => {
  await using folder = await tempFolder();
  await using other = await tempFolder();
  const first = await startHolding(folder.path);

  const second = start(other.path);

  expect(await second.ended).toMatchObject({ exitCode: 0 });
  expect(second.output()).toBe('locked\n');
  first.kill('SIGKILL');
  await first.ended;
});

/** Starts a build that has the lock until it is killed. */
async function startHolding(cwd: string): Promise<ManagedProcess> {
  const build = start(cwd, 'setInterval(() => undefined, 1_000);');
  await waitFor('the build has the lock', () => build.output() === 'locked\n', { process: build });
  return build;
}
