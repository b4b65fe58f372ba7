import { closeSync, constants, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { startChild } from './open-pty.ts';
import { runProgram, STRAY_DESCRIPTOR, size } from './terminals.ts';

/** Runs a script on a terminal to its end and returns its output, in lines. */
async function linesOf(...[script, changed]: Parameters<typeof startChild>): Promise<string[]> {
  const { ended, output } = startChild(script, changed);
  await ended;
  return output().toString().split('\r\n').slice(0, -1);
}

/** A program that starts a child and prints what that writes. */
const printChild = (script: string, changed = '{}'): string => `
  const pty = new Pty(shellCommand(${JSON.stringify(script)}, ${changed}));
  pty.listen({ onData: (bytes) => void process.stdout.write(bytes), onDrained() {}, onEnd() {} });`;

test('argument zero is the one that was asked for', async () => {
  expect(await linesOf('', { argv: ['-sh', '-c', 'echo $0'] })).toEqual(['-sh']);
});

test('the child has a controlling terminal, default signals and no signal blocked', async () => {
  const [blocked, ignored = '', terminal, state] = await linesOf(
    'grep -E "^Sig(Blk|Ign)" /proc/self/status; tty; ps -o stat= -p $$',
  );
  expect(blocked).toMatch(/^SigBlk:\t0+$/);
  // The C library keeps two signals of threads, 32 and 33, from all programs.
  expect(Number.parseInt(ignored.slice(-8), 16) & 0x7fff_ffff).toBe(0);
  expect(terminal).toMatch(/^\/dev\/pts\/\d+$/);
  // Leader of its session, however nice this program is.
  expect(state?.trim()).toMatch(/^S[N<]?s\+?$/);
});

test('on the terminal a character of several bytes is erased as one', async () => {
  const [settings = ''] = await linesOf("stty -a | tr '\\n' ' '; echo");
  expect(settings.split(/[ ;]+/)).toContain('iutf8');
});

test('the child has its configured soft limit of open files, and this program keeps its own', async () => {
  const own = `import { readFileSync } from 'node:fs';
    console.log(/open files +(\\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))[1]);`;
  const hard = (await linesOf('ulimit -Hn'))[0];
  const printed = runProgram(`${printChild('ulimit -Sn; ulimit -Hn', '{ openFilesLimit: 77 }')}${own}`);
  // Node has raised its own to the hard one.
  expect(printed.split(/\r?\n/)).toEqual([hard, '77', hard, '']);
});

test('a limit of open files beyond the hard one, or below what this program has open, starts the child all the same', async () => {
  const hard = (await linesOf('ulimit -Hn'))[0];
  expect(await linesOf('ulimit -Sn', { openFilesLimit: 2 ** 40 })).toEqual([hard]);
  expect(await linesOf('ulimit -Sn', { openFilesLimit: 5 })).toEqual(['5']);
});

test('the child has no descriptor but its terminal, even when this program was started with others', () => {
  const printed = runProgram(printChild('for descriptor in /proc/$$/fd/*; do readlink $descriptor; done'));
  const names = printed.split('\r\n').filter((name) => name !== '');
  expect(names.length).toBeGreaterThanOrEqual(3);
  // A shell may keep one of its own, which is the terminal too.
  expect(new Set(names).size).toBe(1);
  expect(names[0]).toMatch(/^\/dev\/pts\/\d+$/);
});

test('the same holds if the C library is too old to close all descriptors at once', () => {
  const printed = runProgram(`
    import { loadLibc, TERMINAL_CLOSED } from '${resolve('src/termprog/pty/libc.ts')}';
    import { loadLibrary } from '${resolve('src/termprog/pty/library.ts')}';
    import { createSpawn } from '${resolve('src/termprog/pty/spawn.ts')}';
    const libc = loadLibc();
    const master = libc.openMaster();
    const spawn = createSpawn({ ...loadLibrary(), findNew: () => undefined });
    const { program, argv, environment } = shellCommand('ls /proc/$$/fd; echo END');
    spawn({ program, slave: libc.slaveName(master), argv, environment, openFilesLimit: undefined });
    const buffer = Buffer.alloc(4096);
    let output = '';
    for (let length = 0; length !== TERMINAL_CLOSED; length = libc.read(master, buffer)) {
      output += buffer.toString('latin1', 0, length);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    console.log(output);`);
  expect(printed).toContain('END');
  const descriptors = printed.trim().split(/\s+/);
  expect(descriptors).toEqual(expect.arrayContaining(['0', '1', '2']));
  expect(descriptors).not.toContain(`${STRAY_DESCRIPTOR}`);
});

test('the child knows the size of its terminal in cells and in pixels', async () => {
  const { pty, ended, output } = startChild('tty; read line');
  await waitFor('the terminal is named', () => output().includes('\r\n'));
  const terminal = openSync(output().toString().trim(), constants.O_RDWR | constants.O_NOCTTY);
  const shown = new Uint16Array(4);
  const ioctl = createRequire(import.meta.url)('koffi')
    .load('libc.so.6')
    .func('int ioctl(int fd, unsigned long request, void *data)');
  ioctl(terminal, 0x5413, shown);
  closeSync(terminal);
  expect([...shown]).toEqual([size.rows, size.columns, size.width, size.height]);
  pty.hangUp();
  await ended;
});
