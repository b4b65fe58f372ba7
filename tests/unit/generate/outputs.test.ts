import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { staleFiles, writeOutputs } from '../../../src/generate/files.ts';
import { generatedFiles, generatedFolders } from '../../../src/generate/outputs.ts';

const root = mkdtempSync(join(tmpdir(), 'homeport-generate-'));
afterAll(() => rmSync(root, { recursive: true }));

const repository = join(import.meta.dirname, '../../..');
const outputs = [
  { path: 'made/one.txt', text: 'one\n' },
  { path: 'made/two.txt', text: 'two\n' },
];

test('the committed files are what the schemas say', () => {
  expect(staleFiles(repository, generatedFiles(), generatedFolders)).toEqual([]);
});

test('two generations give the same bytes', () => {
  expect(generatedFiles()).toEqual(generatedFiles());
});

test('outputs name neither this machine nor the time', () => {
  const year = String(new Date().getFullYear());

  const telling = generatedFiles().filter(({ text }) => text.includes(repository) || text.includes(`${year}-`));

  expect(telling).toEqual([]);
});

test('checking names missing, changed and left-over files and writes no file', () => {
  mkdirSync(join(root, 'made'), { recursive: true });
  writeFileSync(join(root, 'made/one.txt'), 'changed by hand\n');
  writeFileSync(join(root, 'made/old.txt'), 'of a schema that is gone\n');

  expect(staleFiles(root, outputs, ['made', 'absent'])).toEqual(['made/one.txt', 'made/two.txt', 'made/old.txt']);
  expect(readFileSync(join(root, 'made/one.txt'), 'utf8')).toBe('changed by hand\n');
});

test('writing touches only the files that differ', () => {
  writeOutputs(root, outputs);
  const before = statSync(join(root, 'made/one.txt')).mtimeMs;

  expect(
    writeOutputs(
      root,
      [outputs[0], { path: 'made/two.txt', text: 'new\n' }].filter((output) => output !== undefined),
    ),
  ).toEqual(['made/two.txt']);
  expect(statSync(join(root, 'made/one.txt')).mtimeMs).toBe(before);
  expect(readFileSync(join(root, 'made/two.txt'), 'utf8')).toBe('new\n');
});
