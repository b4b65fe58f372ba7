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

  expect([first, beside, second].map(({ processId }) => processId)).toEqual([undefined, undefined, 'first']);
  await second.release();
});

test('a copy of a state directory says nothing of the process that uses the original', async () => {
  await using folder = await tempFolder();
  await using other = await tempFolder();
  const first = await replaceProcess(folder.path, 'first');
  const copy = join(other.path, 'copy');
  await cp(folder.path, copy, { recursive: true });

  const second = await replaceProcess(copy, 'second');

  expect(second.processId).toBeUndefined();
  await first.release();
  await second.release();
});

test('a state directory that can’t be written, or a file that is damaged, only costs the time of a takeover', async () => {
  await using folder = await tempFolder();

  expect((await replaceProcess(join(folder.path, 'missing'), 'first')).processId).toBeUndefined();
});
