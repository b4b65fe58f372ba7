import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { childCommand } from '../../../../src/termprog/pty/child-command.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { startChild } from './open-pty.ts';

const shell = '/usr/bin/zsh';

test('without a command the shell runs, as a login shell with a dash before its name', () => {
  expect(childCommand(undefined, { shell, isLogin: false })).toEqual({ program: shell, argv: ['zsh'] });
  expect(childCommand(undefined, { shell, isLogin: true })).toEqual({ program: shell, argv: ['-zsh'] });
});

test('a command runs as it is written under any shell', () => {
  expect(childCommand(['ls', '-l', ''], { shell, isLogin: true })).toEqual({ program: 'ls', argv: ['ls', '-l', ''] });
});

test('one word is a program, else a line for the shell', () => {
  expect(childCommand(['ls | less'], { shell, isLogin: true })).toEqual({
    program: 'ls | less',
    argv: ['ls | less'],
    fallback: { program: shell, argv: ['zsh', '-c', 'ls | less'] },
  });
});

test('a script that names no interpreter runs in the shell, also when it is found on PATH', async () => {
  await using folder = await tempFolder();
  const script = join(folder.path, 'greet');
  writeFileSync(script, 'echo "$0 got $# words: $1"\n');
  chmodSync(script, 0o755);
  // A folder of the name comes first.
  mkdirSync(join(folder.path, 'other', 'greet'), { recursive: true });
  const path = `${join(folder.path, 'other')}:${folder.path}:${process.env['PATH']}`;
  vi.stubEnv('PATH', path);
  onTestFinished(() => void vi.unstubAllEnvs());

  for (const program of [script, 'greet']) {
    const { ended, output } = startChild('', { program, argv: [program, 'a b', 'c'], environment: [`PATH=${path}`] });
    await ended;
    expect(output().toString()).toBe(`${script} got 2 words: a b\r\n`);
  }
});
