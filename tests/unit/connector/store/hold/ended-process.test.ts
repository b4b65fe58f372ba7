import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceProcess } from '../../../../../src/connector/store/hold/ended-process.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';

test('a run knows which one used its state directory before, once that one has ended for certain', async () => {
  await using folder = await tempFolder();
  const first = await replaceProcess(folder.path, 'first');
  const beside = await replaceProcess(folder.path, 'beside');
  await first.release();
  const second = await replaceProcess(folder.path, 'second');

  expect([first, beside, second].map(({ ended }) => ended)).toEqual([
    undefined,
    undefined,
    { processId: 'first', isCertain: true },
  ]);
  await second.release();
});

test('a copy of a state directory is no sign of the process that uses the original', async () => {
  await using folder = await tempFolder();
  await using other = await tempFolder();
  const first = await replaceProcess(folder.path, 'first');
  const copy = join(other.path, 'copy');
  await cp(folder.path, copy, { recursive: true });

  const second = await replaceProcess(copy, 'second');

  expect(second.ended).toBeUndefined();
  await first.release();
  await second.release();
});

test('after a start of the machine it is not certain that the run before has ended: this may be a copy of its machine', async () => {
  await using folder = await tempFolder();
  const first = await replaceProcess(folder.path, 'first', 'one boot');
  await first.release();
  const second = await replaceProcess(folder.path, 'second', 'another boot');
  await second.release();
  const third = await replaceProcess(folder.path, 'third', 'another boot');
  await third.release();

  expect([second, third].map(({ ended }) => ended)).toEqual([
    { processId: 'first', isCertain: false },
    { processId: 'second', isCertain: true },
  ]);
});

test('a state directory that can’t be written, or a file that is damaged, only costs the time of a takeover', async () => {
  await using folder = await tempFolder();

  expect((await replaceProcess(join(folder.path, 'missing'), 'first')).ended).toBeUndefined();
});
