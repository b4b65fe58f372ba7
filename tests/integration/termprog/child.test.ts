import { existsSync } from 'node:fs';
import { PNG } from 'pngjs';
import { expect } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { listTitledWindows, screenshotWindow } from '../../../scripts/stack/screenshot.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { VERSION } from '../../../src/kernel/version.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { closeAsUser } from '../../harness/close-window.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { contentOf, spawnTermprog, startTermprog } from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

/** Variables that a shell sets for itself. */
const OF_SHELL = ['PWD', 'OLDPWD', 'SHLVL', '_'];

test('the environment of the child is that of the user, without what describes the launch or another terminal, with what describes its own', async ({
  desktop,
}) => {
  const user = {
    HOME: '/nonexistent',
    PATH: process.env['PATH'] ?? '',
    SHELL: '/bin/sh',
    NODE_OPTIONS: '--max-old-space-size=500',
    NODE_NO_WARNINGS: '1',
    TERMCAP: '/home/me/termcap',
    EMPTY: '',
    LINES_OF_TEXT: 'two\nlines',
    ...desktop.environment,
  };
  const file = desktop.newFile();
  const inherited = {
    ...user,
    TERM: 'linux',
    COLORTERM: 'no',
    TERM_PROGRAM: 'other',
    COLUMNS: '10',
    LINES: '5',
    WINDOWID: '1',
    DESKTOP_STARTUP_ID: 'host-1_TIME5',
    XDG_ACTIVATION_TOKEN: 'host-1_TIME5',
    VTE_VERSION: '7600',
    KITTY_WINDOW_ID: '1',
    WT_SESSION: 'c0ffee',
  };
  const terminal = startProcess({
    name: 'termprog',
    // The environment of the tests is left out.
    command: [
      'env',
      '-i',
      ...Object.entries(inherited).map(([name, value]) => `${name}=${value}`),
      'bin/termprog',
      '-e',
      'sh',
      '-c',
      `env -0 > ${file}; : > ${file}.done; sleep 60`,
    ],
    env: {},
  });
  await waitFor('it is written', () => existsSync(`${file}.done`), { process: terminal });
  const variables = contentOf(file)
    .split('\0')
    .slice(0, -1)
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
  const seen = Object.fromEntries(variables.filter(([name]) => !OF_SHELL.includes(name)));
  await terminal.stop();

  expect(seen).toEqual({
    ...user,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'termprog',
    TERM_PROGRAM_VERSION: VERSION,
    WINDOWID: expect.stringMatching(/^[1-9]\d{5,}$/),
  });
});

test('the child leads a session on its terminal, with default signals and no other file, and knows its size', async ({
  desktop,
}) => {
  const file = desktop.newFile();
  const script = `{ grep -E '^Sig(Blk|Ign)' /proc/self/status; stty size; ls /proc/$$/fd | wc -l; readlink /proc/$$/fd/*; ps -o stat= -p $$; } > ${file}; : > ${file}.done; sleep 60`;
  await using terminal = await startTermprog(desktop, { args: ['-geometry', '91x17'], script });
  await waitFor('it is written', () => existsSync(`${file}.done`), { process: terminal.process });
  const [blocked, ignored = '', size, , ...rest] = contentOf(file).trim().split('\n');
  expect(blocked).toMatch(/^SigBlk:\t0+$/);
  // The C library keeps two signals of threads, 32 and 33, from all programs.
  expect(Number.parseInt(ignored.slice(-8), 16) & 0x7fff_ffff).toBe(0);
  expect(size).toBe('17 91');
  const files = new Set(rest.slice(0, -1).filter((name) => name !== file));
  expect([...files].map((name) => name.replace(/\d+$/, ''))).toEqual(['/dev/pts/']);
  expect(rest.at(-1)?.trim()).toMatch(/^S[N<]?s\+?$/);
});

test('one word that is not a program is a line for the shell, several are a program and its arguments', async ({
  desktop,
}) => {
  verifies('termprog.option.e');
  const [file, other] = [desktop.newFile(), desktop.newFile()];
  const line = spawnTermprog(['-e', `echo "$0" a > ${file}; echo b >> ${file}`], {
    ...desktop.environment,
    SHELL: '/bin/sh',
  });
  expect((await line.ended).exitCode).toBe(0);
  expect(contentOf(file)).toBe('sh a\nb\n');
  const words = spawnTermprog(['-e', 'touch', other, `${other} b`], desktop.environment);
  expect((await words.ended).exitCode).toBe(0);
  expect([existsSync(other), existsSync(`${other} b`)]).toEqual([true, true]);
});

test('the reference terminal reads one word in the same way', async ({ desktop }) => {
  const file = desktop.newFile();
  const reference = startProcess({
    name: 'xterm',
    command: ['xterm', '-e', `echo "$0" a > ${file}; echo b >> ${file}`],
    env: { HOME: '/nonexistent', ...desktop.environment, SHELL: '/bin/sh' },
  });
  expect((await reference.ended).exitCode).toBe(0);
  expect(contentOf(file)).toBe('sh a\nb\n');
});

for (const command of [['no-such-command'], ['no-such-command', 'a']]) {
  test(`"-e ${command.join(' ')}" is one line that names it, and status 1`, async ({ desktop }) => {
    const started = spawnTermprog(['-e', ...command], { ...desktop.environment, SHELL: '/bin/sh' });
    expect((await started.ended).exitCode).toBe(1);
    expect(started.output()).toBe(
      "termprog: the command no-such-command can't be started: there is no such program (ENOENT); -e takes a program and its arguments, or one word for the shell\n",
    );
  });
}

test('with hold a command that is not there is reported in the window, which stays until it is closed', async ({
  desktop,
}) => {
  const started = startProcess({
    name: 'termprog',
    command: [
      'bin/termprog',
      '-title',
      'nothing runs',
      '-hold',
      '-bg',
      '#123456',
      '-fg',
      '#fedcba',
      '-e',
      'no-such-command',
      'a',
    ],
    env: { HOME: '/nonexistent', ...desktop.environment },
  });
  const { id } = await waitFor(
    'the window is there',
    async () => (await listTitledWindows(desktop.environment)).find(({ title }) => title === 'nothing runs'),
    { process: started },
  );
  await waitFor(
    'the text shows',
    async () => countColor(PNG.sync.read(await screenshotWindow(desktop.environment, id)), 0xfedcba) > 300,
  );
  await desktop.run('xdotool', 'key', '--window', `${id}`, 'a', 'Return');
  await closeAsUser(desktop, id);

  expect((await started.ended).exitCode).toBe(0);
  expect(started.output()).toBe('');
});

test('the child may have as many files open as the process that started the terminal', async ({ desktop }) => {
  const file = desktop.newFile();
  const script = `{ ulimit -Sn; ulimit -Hn; } > ${file}; : > ${file}.done; sleep 60`;
  const terminal = startProcess({
    name: 'termprog',
    command: ['sh', '-c', 'ulimit -Sn 300; bin/termprog "$@"; exit', 'sh', '-e', 'sh', '-c', script],
    env: desktop.environment,
  });
  await waitFor('the script is done', () => existsSync(`${file}.done`), { process: terminal });
  // The launcher's shell would leave the terminal behind.
  process.kill(-terminal.pid, 'SIGTERM');
  await terminal.ended;

  const [soft, hard] = contentOf(file).split('\n').map(Number);
  expect(soft).toBe(300);
  expect(hard).toBeGreaterThan(300);
});

test('the terminal ends with the child though background jobs write without end', async ({ desktop }) => {
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    script: `trap '' HUP; cat /dev/zero & echo $! > ${file}; sleep 0.2; exit 3`,
  });
  expect((await terminal.process.ended).exitCode).toBe(0);
  // The job's output is no longer read.
  await waitFor('the background job is gone', () => !existsSync(`/proc/${Number(contentOf(file))}`));
});

test('closing the window hangs up on every process of the foreground', async ({ desktop }) => {
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    script: `set -m; sh -c 'echo $$ > ${file}; exec sleep 60'`,
  });
  const pid = await waitFor('the job runs', () => Number(contentOf(file)) || undefined);
  terminal.process.kill('SIGTERM');

  expect((await terminal.process.ended).exitCode).toBe(0);
  await waitFor('the job is gone', () => !existsSync(`/proc/${pid}`));
});
