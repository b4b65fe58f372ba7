import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { contentOf, startTermprog, startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';

let desktop: XDesktop;

beforeAll(async () => {
  desktop = await startXDesktop();
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

/** What a script in a terminal leaves in a file when it is done. */
async function writtenBy(script: (file: string) => string, environment: Record<string, string> = {}): Promise<string> {
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    script: `${script(file)}; : > ${file}.done; sleep 60`,
    environment,
  });
  await waitFor('the script is done', () => existsSync(`${file}.done`), { process: terminal.process });
  return contentOf(file);
}

test("the user's own variables for Node reach the child, and none of the launcher's do", async () => {
  const written = await writtenBy((file) => `env > ${file}`, {
    NODE_OPTIONS: '--max-old-space-size=500',
    NODE_NO_WARNINGS: '1',
    COLUMNS: '10',
    LINES: '5',
    TERMCAP: 'x',
  });
  const lines = written.split('\n');
  expect(lines).toEqual(expect.arrayContaining(['NODE_OPTIONS=--max-old-space-size=500', 'NODE_NO_WARNINGS=1']));
  expect(lines.filter((line) => /^(COLUMNS|LINES|TERMCAP|TERMPROG_\w*|NODE_COMPILE_CACHE)=/.test(line))).toEqual([]);
});

test('the child may have as many files open as whoever started the terminal', async () => {
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

test('a program that asks a million times and reads no answer costs bounded memory and one line', async () => {
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    script: `stty raw -echo; yes "$(printf '\\033[5n\\033[c')" | head -c 8000000; : > ${file}.done; read line; sleep 60`,
  });
  await waitFor('all was asked', () => existsSync(`${file}.done`), { process: terminal.process, timeoutMs: 40_000 });
  await waitFor('it is told that answers are dropped', () => terminal.process.output().includes('dropped'));

  expect(terminal.process.output().match(/dropped/g)).toHaveLength(1);
  const bytes = residentBytes(terminal.process.pid);
  expect(bytes).toBeGreaterThan(20_000_000);
  expect(bytes).toBeLessThan(250_000_000);
});

test('the terminal ends with the child though background jobs write without end', async () => {
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    script: `trap '' HUP; cat /dev/zero & echo $! > ${file}; sleep 0.2; exit 3`,
  });
  expect((await terminal.process.ended).exitCode).toBe(0);
  // Nobody reads it any more.
  await waitFor('the background job is gone', () => !existsSync(`/proc/${Number(contentOf(file))}`));
});

test('closing the window hangs up on every process of the foreground', async () => {
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    script: `set -m; sh -c 'echo $$ > ${file}; exec sleep 60'`,
  });
  const pid = await waitFor('the job runs', () => Number(contentOf(file)) || undefined);
  terminal.process.kill('SIGTERM');

  expect((await terminal.process.ended).exitCode).toBe(0);
  await waitFor('the job is gone', () => !existsSync(`/proc/${pid}`));
});

/** Of the terminal itself: its launchers have become it. */
function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
