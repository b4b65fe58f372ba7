import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { needs } from '../../harness/needs.ts';
import { contentOf, LAUNCHER_VARIABLE, startTermprog, type XDesktop } from '../../harness/start-termprog.ts';
import { mark, prompt, session, startMarked } from './marked-terminal.ts';

const hungTest = needs('FUSE', 'mount namespaces');

let desktop: XDesktop;

test.beforeAll(({ desktop: started }) => {
  desktop = started;
});

/** The process of the shell that was given a command. */
const shellWith = (command: string): number | undefined =>
  readdirSync('/proc')
    .map(Number)
    .find((pid) => {
      try {
        return (
          pid > 0 &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('/bin/sh') &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').endsWith(`\0${command}\0`)
        );
      } catch {
        return false;
      }
    });

const press = (): Promise<string> => desktop.run('xdotool', 'key', 'ctrl+shift+g');

test('output is passed on as data, and an output without a line end keeps none', async () => {
  const file = desktop.newFile();
  await using terminal = await startMarked(
    desktop,
    session('$(touch /tmp/x); `id` \\134'),
    `cat > ${file}.new; mv ${file}.new ${file}`,
  );
  expect(terminal.window).toBeGreaterThan(0);
  await press();
  await waitFor('the output is there', () => contentOf(file) !== '');
  expect(contentOf(file)).toBe('$(touch /tmp/x); `id` \\');
});

test('an output that has partly left the history is passed on as far as it is there', async () => {
  const file = desktop.newFile();
  const lines = Array.from({ length: 60 }, (_, line) => `${line}\\r\\n`).join('');
  await using terminal = await startMarked(desktop, session(lines), `cat > ${file}.new; mv ${file}.new ${file}`, [
    '-sl',
    '10',
  ]);
  expect(terminal.window).toBeGreaterThan(0);
  await press();
  await waitFor('the output is there', () => contentOf(file) !== '');
  expect(contentOf(file)).toMatch(/^2\d\n(\d\d\n)*59\n$/);
});

for (const [what, host, isThere] of [
  ['this machine', hostname(), true],
  ['no machine by name', '', true],
  ['localhost', 'localhost', true],
  ['another machine', 'elsewhere.example', false],
] as const) {
  test(`the command runs in the directory that the shell last reported for ${what}: ${isThere}`, async () => {
    verifies('termprog.action.pipe-command-output');
    const file = desktop.newFile();
    const directory = join(desktop.folder, `a directory ${what}`);
    mkdirSync(directory, { recursive: true });
    const address = `file://${host}${directory.replaceAll(' ', '%20')}`;
    const script = `pwd > ${file}.new; mv ${file}.new ${file}`;
    await using terminal = await startMarked(desktop, `\\033]7;${address}\\a${session('text')}`, script);
    expect(terminal.window).toBeGreaterThan(0);
    await press();
    await waitFor('it ran', () => contentOf(file) !== '');
    expect(contentOf(file).trim()).toBe(isThere ? directory : process.cwd());
  });
}

test('a directory that is gone is no obstacle, and a command that reads no input does no harm', async () => {
  const file = desktop.newFile();
  const many = Array.from({ length: 900 }, () => `${'y'.repeat(79)}\\r\\n`).join('');
  await using terminal = await startMarked(
    desktop,
    `\\033]7;file:///gone/away\\a${session(many)}`,
    `exec <&-; echo ran >> ${file}`,
  );
  await press();
  await waitFor('it ran', () => contentOf(file) === 'ran\n');
  await press();
  await waitFor('it ran again', () => contentOf(file) === 'ran\nran\n');
  expect(terminal.process.output()).toBe('');
});

test('the command writes to the stream of messages, and outlives the window', async () => {
  const file = desktop.newFile();
  const terminal = await startMarked(
    desktop,
    session('text'),
    `echo told; echo $WINDOWID $TERM > ${file}; while [ -e ${file} ]; do sleep 0.05; done; : > ${file}.end`,
  );
  await press();
  await waitFor('its words are told', () => terminal.process.output().includes('told') && contentOf(file) !== '');
  expect(contentOf(file)).toBe(`${terminal.window} xterm-256color\n`);
  // A wait for the end of the terminal's output waits for the command too.
  const stopped = terminal[Symbol.asyncDispose]();
  await waitFor('the window is gone', () =>
    desktop.run('xwininfo', '-id', `${terminal.window}`).then(
      () => false,
      () => true,
    ),
  );
  await desktop.run('rm', file);
  await waitFor('the command ends by itself', () => existsSync(`${file}.end`));
  await stopped;
});

test('a slow command gets all of a long output, also when the window is closed meanwhile', async () => {
  const file = desktop.newFile();
  const many = `i=0; while [ $i -lt 9000 ]; do printf '%079d\\r\\n' $i; i=$((i + 1)); done`;
  const script = `head -c 1 > ${file}; while [ ! -e ${file}.go ]; do sleep 0.05; done; cat >> ${file}; : > ${file}.end`;
  const ready = desktop.newFile();
  const terminal = await startTermprog(desktop, {
    args: ['-sl', '10000', '-xrm', `*pipeCommandOutput: ${script}`],
    script: `stty raw -echo; printf '${mark('C')}'; ${many}; printf '${mark('D')}\\033[6n'; dd bs=1 count=5 of=${ready} 2>/dev/null; cat > /dev/null`,
  });
  await waitFor('the text shows', () => contentOf(ready).length >= 5, { process: terminal.process });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await press();
  await waitFor('it reads', () => contentOf(file) === '0');
  const stopped = terminal[Symbol.asyncDispose]();
  await waitFor('the window is gone', () =>
    desktop.run('xwininfo', '-id', `${terminal.window}`).then(
      () => false,
      () => true,
    ),
  );
  writeFileSync(`${file}.go`, '');
  await waitFor('the command ends', () => existsSync(`${file}.end`));
  await stopped;
  const expected = Array.from({ length: 9000 }, (_, line) => `${line}`.padStart(79, '0')).join('\n');
  expect(contentOf(file)).toBe(`${expected}\n`);
});

hungTest('a directory that hangs holds up its command alone', async () => {
  const [file, hung, launcher] = [desktop.newFile(), desktop.newFile(), desktop.newFile()];
  const behind = `unshare --mount '${process.execPath}' tests/integration/agent/with-hung-mounts.ts '${hung}'`;
  writeFileSync(launcher, `#!/bin/sh\nexec ${behind} '${join(process.cwd(), 'bin/termprog')}' "$@"\n`, { mode: 0o755 });
  vi.stubEnv(LAUNCHER_VARIABLE, launcher);
  onTestFinished(() => void vi.unstubAllEnvs());
  const directory = `\\033]7;file://${hung}\\a`;
  await using terminal = await startTermprog(desktop, {
    args: ['-xrm', '*pipeCommandOutput: echo $HUNG'],
    script: `stty raw -echo; printf '%b' '${directory}${session('text')}\\033[6n'; dd bs=1 count=5 of=${file} 2>/dev/null; cat > ${file}.keys`,
  });
  await waitFor('the text shows', () => contentOf(file).length >= 5, { process: terminal.process });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await press();
  const waiting = await waitFor('the command waits', () => shellWith('echo $HUNG'));
  try {
    await desktop.run('xdotool', 'key', 'x');
    await waitFor('a key comes', () => contentOf(`${file}.keys`).endsWith('x'));
  } finally {
    // Only the test ends it, and the terminal's output ends with it.
    process.kill(waiting, 'SIGKILL');
  }
});

test('the action runs its program only after a completed command, and not for marks of an alternate screen', async () => {
  const [file, key] = [desktop.newFile(), desktop.newFile()];
  const alternate = `\\033[?1049h${session('alternate')}\\033[?1049l`;
  const running = `${alternate}${prompt}make\\r\\n${mark('C')}still running\\r\\n`;
  const ended = `${mark('D')}${prompt}\\033[6n`;
  const show = (text: string): string => `printf '%b' '${text}'`;
  await using terminal = await startTermprog(desktop, {
    args: ['-xrm', `*pipeCommandOutput: cat >> ${file}`],
    script: `stty raw -echo; ${show(running)}; : > ${key}.ready; dd bs=1 count=1 of=${key} 2>/dev/null; ${show(ended)}; dd bs=1 count=5 of=${key}.end 2>/dev/null; cat > /dev/null`,
  });
  await waitFor('the text shows', () => existsSync(`${key}.ready`));
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await press();
  await desktop.run('xdotool', 'key', 'ctrl+shift+g', 'a');
  await waitFor('the command has ended', () => contentOf(`${key}.end`).length >= 5);

  await press();

  // Each before it would have been written before.
  await waitFor('the output is there', () => contentOf(file) !== '');
  expect(contentOf(file)).toBe('still running\n');
  expect(terminal.process.output()).toBe('');
});
