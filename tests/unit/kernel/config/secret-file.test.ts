import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSecretFile } from '../../../../src/kernel/config/secret-file.ts';
import { StartError } from '../../../../src/kernel/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'hp-'));

afterAll(() => rmSync(folder, { recursive: true }));

test('one newline at the end is not part of a secret, any other is', () => {
  expect(readSecretFile(secretFile('one', 'token\n'), 'x.tokenFile', undefined)).toBe('token');
  expect(readSecretFile(secretFile('two', 'token\n\n'), 'x.tokenFile', undefined)).toBe('token\n');
});

test('a credential is read from the directory systemd names, with any mode', () => {
  secretFile('credential', 'token', 0o644);

  expect(readSecretFile('$CREDENTIALS_DIRECTORY/credential', 'x.tokenFile', folder)).toBe('token');
});

for (const [why, path, directory, message] of [
  ['missing', join(folder, 'none'), undefined, 'x.tokenFile: .*none does not exist'],
  ['empty', secretFile('empty', '\n'), undefined, 'x.tokenFile: .*empty is empty'],
  [
    'readable by others',
    secretFile('open', 'token', 0o604),
    undefined,
    'x.tokenFile: .*open is readable by group or others: chmod 600 .*open',
  ],
  ['a directory', folder, undefined, 'is not a small regular file: name the file that holds the secret'],
  ['a pipe nobody writes to', pipe('pipe'), undefined, 'is not a small regular file'],
  ['of any size', '/dev/zero', undefined, 'is not a small regular file'],
  ['readable by its group', secretFile('group', 'token', 0o640), undefined, 'readable by group or others'],
  [
    'a credential without a service manager',
    '$CREDENTIALS_DIRECTORY/x',
    undefined,
    'by hand, set CREDENTIALS_DIRECTORY to a directory with such a file',
  ],
] as const) {
  test(`a secret file that is ${why} is refused with what to do`, () => {
    expect(() => readSecretFile(path, 'x.tokenFile', directory)).toThrow(StartError);
    expect(() => readSecretFile(path, 'x.tokenFile', directory)).toThrow(new RegExp(message));
  });
}

function secretFile(name: string, text: string, mode = 0o600): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

function pipe(name: string): string {
  execFileSync('mkfifo', ['-m', '600', join(folder, name)]);
  return join(folder, name);
}
