import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { spawnTermprog } from '../../harness/start-termprog.ts';

/** A start and an end take a fraction of this. */
const RUN_DEADLINE_MS = 120_000;

/** Runs a shell command that starts the terminal as `"$T"`; what it printed. */
async function runShell(script: string, env: Record<string, string | undefined> = {}, cwd = '.'): Promise<string> {
  const { all = '', exitCode } = await execa('sh', ['-c', script], {
    env: { ...desktop.environment, T: resolve('bin/termprog'), HOME: '/nonexistent', ...env },
    timeout: RUN_DEADLINE_MS,
    reject: false,
    all: true,
    cwd,
  });
  return `${all}${exitCode}`;
}

test('bytes that are not UTF-8 reach the child in its arguments and its environment', async () => {
  const file = desktop.newFile();
  // NUL and newline can't be there; all other bytes, in an order that is not UTF-8.
  const bytes = Buffer.from(Array.from({ length: 255 }, (_, index) => 255 - index)).filter((byte) => byte !== 10);
  writeFileSync(`${file}.bytes`, bytes);
  const child = `{ printf %s "$0"; printf "\\n%s\\n" "$1"; printf %s "$OWN"; } > ${file}`;
  const status = await runShell(
    `OWN=$(cat ${file}.bytes); export OWN; "$T" -title "$OWN" -e sh -c '${child}' "$OWN" "gr$(printf '\\374')n é"`,
  );

  expect(status).toBe('0');
  const expected = [bytes, Buffer.from('\ngr\xfcn \xc3\xa9\n', 'latin1'), bytes];
  expect(readFileSync(file).equals(Buffer.concat(expected))).toBe(true);
});

test('the same holds for one word that is a line for the shell', async () => {
  const file = desktop.newFile();
  await runShell(`"$T" -e "printf %s a$(printf '\\351')b > ${file}"`, { SHELL: '/bin/sh' });
  expect(readFileSync(file).toString('latin1')).toBe('a\xe9b');
});

test('variables of the user with any name keep their values', async () => {
  const file = desktop.newFile();
  const own = { self: '1', here: '2', node: '3', signal: '4', is_ignored: '5', name: '6' };
  await runShell(`"$T" -e sh -c 'env > ${file}'`, own);
  const lines = readFileSync(file, 'utf8').split('\n');
  expect(lines).toEqual(expect.arrayContaining(Object.entries(own).map(([name, value]) => `${name}=${value}`)));
});

test("a user's options for Node reach the child, and can't keep the terminal from starting", async () => {
  const file = desktop.newFile();
  const options = '--require /no/such/file.js --no-such-option';
  expect(await runShell(`"$T" -e sh -c 'printf %s "$NODE_OPTIONS" > ${file}'`, { NODE_OPTIONS: options })).toBe('0');
  expect(readFileSync(file, 'utf8')).toBe(options);
});

test('an environment of a megabyte reaches the child', async () => {
  const file = desktop.newFile();
  const own = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`LARGE${index}`, 'é'.repeat(50_000)]));
  await runShell(`"$T" -e sh -c 'env | grep ^LARGE | wc -c > ${file}'`, own);
  expect(Number(readFileSync(file, 'utf8'))).toBe(10 * ('LARGE0='.length + 100_000 + 1));
});

test('the terminal starts in a folder that is gone, without a stack', async () => {
  const file = desktop.newFile();
  const gone = join(desktop.folder, 'gone');
  mkdirSync(gone);
  // The launcher's shell may say that it does not know where it is.
  expect(await runShell(`rmdir ${gone}; "$T" -e sh -c ': > ${file}' 2> ${file}.errors`, {}, gone)).toBe('0');
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(`${file}.errors`, 'utf8')).not.toContain('Error');
});

for (const [word, reason] of [
  ['/etc/passwd', 'it may not be executed (EACCES)'],
  ['/tmp', 'it may not be executed (EACCES)'],
] as const) {
  test(`"-e ${word}", which may not be executed, is one line and status 1`, async () => {
    const started = spawnTermprog(['-e', word], { ...desktop.environment, SHELL: '/bin/sh' });
    expect((await started.ended).exitCode).toBe(1);
    expect(started.output()).toBe(
      `termprog: the command ${word} can't be started: ${reason}; -e takes a program and its arguments, or one word for the shell\n`,
    );
  });
}

test('a folder in SHELL is not a shell', async () => {
  const file = desktop.newFile();
  const started = spawnTermprog(['-e', `echo "$SHELL" > ${file}; :`], {
    ...desktop.environment,
    SHELL: desktop.folder,
  });
  expect((await started.ended).exitCode).toBe(0);
  expect(readFileSync(file, 'utf8')).toMatch(/^\/.*sh\n$/);
});

test('an empty word is an empty line for the shell', async () => {
  const started = spawnTermprog(['-e', ''], { ...desktop.environment, SHELL: '/bin/sh' });
  expect((await started.ended).exitCode).toBe(0);
  expect(started.output()).toBe('');
});
