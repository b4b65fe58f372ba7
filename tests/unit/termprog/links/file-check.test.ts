import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkFile } from '../../../../src/termprog/links/file-check.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

let temporary: Awaited<ReturnType<typeof tempFolder>>;
let folder: string;

beforeAll(async () => {
  temporary = await tempFolder();
  folder = realpathSync(temporary.path);
});

afterAll(async () => {
  await temporary[Symbol.asyncDispose]();
});

/** Makes a file, and gives its path. */
function made(name: string, content = 'text', mode = 0o644): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

const linked = (name: string, to: string): string => {
  symlinkSync(to, join(folder, name));
  return join(folder, name);
};

test('files and folders to look at are opened, by the path that links lead to', async () => {
  const text = made('notes.txt');
  for (const path of [text, made('script.py', '#!/usr/bin/env python3\n'), made('desktop'), folder])
    expect(await checkFile(path)).toEqual({ path });
  expect(await checkFile(linked('by-link', text))).toEqual({ path: text });
  mkdirSync(join(folder, 'with.desktop-like'));
  expect(await checkFile(join(folder, 'with.desktop-like'))).toEqual({ path: join(folder, 'with.desktop-like') });
});

test('files that the desktop would run are refused: by their name, bits and content, and through links', async () => {
  const entry = made('a.desktop', '[Desktop Entry]\nExec=touch /tmp/x\n');
  const program = made('program', '#!/bin/sh\n', 0o755);
  const paths = [
    entry,
    made('B.DESKTOP'),
    made('trailing.desktop.', 'text'),
    made('c.AppImage'),
    made('d.jar', 'PK'),
    made('e.exe', 'MZ'),
    program,
    made('for-others', 'x', 0o641),
    made('entry-without-a-name', '# a comment\n\n[Desktop Entry]\nExec=x\n'),
    made('program-of-windows', 'MZ\x90'),
    linked('looks-harmless.txt', entry),
    linked('looks-harmless.png', program),
    linked('twice.txt', linked('once', program)),
    linked('named.desktop', made('harmless.txt')),
  ];
  for (const path of paths) expect(await checkFile(path), path).toHaveProperty('refusal');
});

test('a path that is no file, or that can not be looked at, is refused at once', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(await checkFile(pipe)).toEqual({ refusal: 'it is neither a file nor a folder' });
  expect(await checkFile('/dev/null')).toEqual({ refusal: 'it is neither a file nor a folder' });
  expect(await checkFile(join(folder, 'nothing'))).toEqual({ refusal: 'there is no such file' });
  expect(await checkFile(join(folder, 'notes.txt', 'below'))).toEqual({ refusal: 'there is no such file' });
  expect(await checkFile(linked('loop', join(folder, 'loop')))).toHaveProperty('refusal');
});
