import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../harness/temp-folder.ts';

const SOURCES = [
  'src/termprog/pty',
  'src/termprog/native',
  'src/termprog/errors.ts',
  'src/kernel/errors.ts',
  'src/kernel/native',
];

test('without koffi one line says so and what to do', async () => {
  expect(await messageWith(undefined)).toMatch(
    /^PtyUnavailableError: the npm package koffi is missing or not built for this machine, install Homeport again with its packages: [^\n]+\n$/,
  );
});

test('a koffi that is not built for this machine is named in one line', async () => {
  expect(await messageWith("throw new Error('Cannot find the native module\\nsecond line');")).toBe(
    'PtyUnavailableError: the npm package koffi is missing or not built for this machine, install Homeport again with its packages: Cannot find the native module\n',
  );
});

test('a C library that is not there, or lacks a function, is named in one line', async () => {
  const real = (body: string) => `module.exports = { load: (name) => { ${body} }, errno: () => 0, os: { errno: {} } };`;
  expect(await messageWith(real("throw new Error(name + ': cannot open shared object file\\n');"))).toBe(
    "PtyUnavailableError: the C library libc.so.6 can't be loaded: libc.so.6: cannot open shared object file\n",
  );
  expect(await messageWith(real("return { func: () => { throw new Error('Cannot find it'); } };"))).toBe(
    'PtyUnavailableError: the C library libc.so.6 lacks a function: Cannot find it\n',
  );
});

/**
 * Returns the message of a copy of the sources when a terminal is requested; `koffi` is the whole package it finds, if
 * any.
 */
async function messageWith(koffi: string | undefined): Promise<string> {
  await using folder = await tempFolder();
  for (const source of SOURCES) cpSync(source, join(folder.path, source), { recursive: true });
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), content);
  };
  write('package.json', '{ "type": "module" }');
  const { arch } = process;
  write(`node_modules/@koromix/koffi-linux-${arch}/linux_${arch}/koffi.node`, 'of another machine');
  write('node_modules/koffi/package.json', '{ "main": "index.cjs" }');
  if (koffi !== undefined) write('node_modules/koffi/index.cjs', koffi);
  const program = `import { Pty } from '${join(folder.path, 'src/termprog/pty/pty.ts')}';
    const size = { rows: 1, columns: 1, width: 1, height: 1 };
    try { new Pty({ program: '/bin/sh', argv: ['sh'], environment: [], size }); }
    catch (error) { console.log(error.name + ': ' + error.message); }`;
  const args = ['--input-type=module', '-e', program];
  return (await promisify(execFile)(process.execPath, args, { timeout: 120_000 })).stdout;
}
