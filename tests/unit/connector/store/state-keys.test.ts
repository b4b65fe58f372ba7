import { chmod, mkdir, readdir, readFile, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  forgetEarlierStateKeys,
  loadStateKeys,
  readStateKeys,
  rotateStateKeys,
} from '../../../../src/connector/store/state-keys.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const MODULE = resolve('src/connector/store/state-keys.ts');

let folder: Awaited<ReturnType<typeof tempFolder>>;
let state: string;

beforeEach(async () => {
  folder = await tempFolder();
  state = join(folder.path, 'state');
});

afterEach(() => folder[Symbol.asyncDispose]());

const file = () => join(state, 'keys.json');

test('keys that are replaced twice before they are used still open everything', () => {
  const first = loadStateKeys(state);
  rotateStateKeys(state);
  const second = loadStateKeys(state);
  rotateStateKeys(state);
  const third = loadStateKeys(state);

  expect(third.earlierSealKeys).toEqual([second.sealKey, first.sealKey]);
  expect(third.sealKey.equals(second.sealKey)).toBe(false);
});

test('earlier keys are forgotten by the program that uses the newest, and by no other', async () => {
  loadStateKeys(state);
  rotateStateKeys(state);
  const used = loadStateKeys(state);
  rotateStateKeys(state);

  forgetEarlierStateKeys(state, used);
  expect(loadStateKeys(state).earlierSealKeys).toHaveLength(2);
  const newest = loadStateKeys(state);
  forgetEarlierStateKeys(state, newest);

  expect(loadStateKeys(state)).toEqual({ ...newest, earlierSealKeys: [], cookieKeys: newest.cookieKeys.slice(0, 1) });
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  expect(await readdir(state)).toEqual(['keys.json']);
});

test('the remains of an interrupted replacement are no obstacle, and no link leads it elsewhere', async () => {
  loadStateKeys(state);
  const elsewhere = join(folder.path, 'elsewhere');
  await writeFile(elsewhere, 'somebody else’s');
  await symlink(elsewhere, join(state, 'keys.json.new'));

  rotateStateKeys(state);

  expect(await readFile(elsewhere, 'utf8')).toBe('somebody else’s');
  expect(loadStateKeys(state).earlierSealKeys).toHaveLength(1);
});

test('each of several replacements at once that succeeds adds its keys to those before, and the others say why they did not', async () => {
  const first = loadStateKeys(state);
  const code = `import { rotateStateKeys } from ${JSON.stringify(MODULE)}; rotateStateKeys(${JSON.stringify(state)});`;
  const runs = Array.from({ length: 5 }, () =>
    execa(process.execPath, ['--input-type=module', '--eval', code], { reject: false }),
  );

  const ended = await Promise.all(runs);

  const refused = ended.filter(({ exitCode }) => exitCode !== 0);
  for (const { stderr } of refused) expect(stderr).toContain('another process replaces the keys just now');
  const last = loadStateKeys(state);
  expect(last.earlierSealKeys).toHaveLength(ended.length - refused.length);
  expect(last.earlierSealKeys.at(-1)).toEqual(first.sealKey);
  expect(await readdir(state)).toEqual(['keys.json']);
});

test('a replacement under way keeps all others away, until it is a minute old', async () => {
  const keys = loadStateKeys(state);
  const draft = join(state, 'keys.json.new');
  await writeFile(draft, 'half', { mode: 0o600 });

  expect(() => rotateStateKeys(state)).toThrow(/another process replaces the keys just now.*in a minute/);
  expect(() => forgetEarlierStateKeys(state, keys)).toThrow(/another process replaces the keys just now/);
  expect(await readFile(draft, 'utf8')).toBe('half');
  expect(loadStateKeys(state)).toEqual(keys);
  const minuteAgo = Date.now() / 1_000 - 61;
  await utimes(draft, minuteAgo, minuteAgo);
  rotateStateKeys(state);

  expect(loadStateKeys(state).earlierSealKeys).toEqual([keys.sealKey]);
  expect(await readdir(state)).toEqual(['keys.json']);
});

test('keys that others may read, damaged keys and missing keys are not replaced', async () => {
  await mkdir(state);
  expect(() => rotateStateKeys(state)).toThrow(/does not exist/);
  loadStateKeys(state);
  const before = await readFile(file(), 'utf8');
  await chmod(file(), 0o644);
  expect(() => rotateStateKeys(state)).toThrow(/readable by group or others/);
  await chmod(file(), 0o600);
  expect(await readFile(file(), 'utf8')).toBe(before);
  await writeFile(file(), before.slice(1));

  expect(() => rotateStateKeys(state)).toThrow(/is damaged/);
  expect(await readFile(file(), 'utf8')).toBe(before.slice(1));
});

test('a pipe or a directory in place of the keys is refused, and no writer is waited for', async () => {
  await mkdir(state);
  await execa('mkfifo', ['-m', '600', file()]);
  expect(() => readStateKeys(state)).toThrow(/not a regular file/);
  expect(() => rotateStateKeys(state)).toThrow(/not a regular file/);
  await rm(file());
  await mkdir(file(), { mode: 0o700 });

  expect(() => readStateKeys(state)).toThrow(/not a regular file/);
});

test('a file that is far longer than keys are is not read', async () => {
  await mkdir(state);
  await writeFile(file(), ' ', { mode: 0o600 });
  await truncate(file(), 2 ** 40);

  expect(() => readStateKeys(state)).toThrow(/more than 1048576 bytes/);
});
