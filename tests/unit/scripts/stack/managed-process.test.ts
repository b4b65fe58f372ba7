import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startProcess } from '../../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const sh = (script: string, logFile?: string) =>
  startProcess({ name: 'sh', command: ['sh', '-c', script], ...(logFile && { logFile }) });

test('a process has ended although another program holds its output open', async () => {
  const parent = sh('sleep 600 & echo $!; exec sleep 600');
  await waitFor('it has left a program behind', () => /\d+/.test(parent.output()));
  await parent.stop();

  expect(await parent.ended).toEqual({ exitCode: undefined, signal: 'SIGTERM' });
  process.kill(Number(parent.output()), 'SIGKILL');
});

test('all that a process wrote before its end is there when it has ended', async () => {
  const chatty = sh('n=0; while [ $n -lt 3000 ]; do echo a line with number $n; n=$((n+1)); done; exit 3');

  expect(await chatty.ended).toMatchObject({ exitCode: 3 });
  expect(chatty.output()).toContain('a line with number 2999\n');
});

test('a character that arrives in two parts is one in the output', async () => {
  const slow = sh(`printf 'caf\\303'; sleep 0.5; printf '\\251\\n'`);
  await slow.ended;

  expect(slow.output()).toBe('café\n');
});

test('the log file also has what programs print that a process leaves behind', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'log');
  await sh('(sleep 2; echo late) & echo first', file).ended;

  await waitFor('all is in the log', () => readFileSync(file, 'utf8') === 'first\nlate\n');
});

test('a log file that cannot be written is reported in the output, and the process goes on', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'log');
  for (const [log, reason] of [
    [join(folder.path, 'missing/log'), 'ENOENT'],
    ['/dev/full', 'ENOSPC'],
  ]) {
    const process = sh('echo works; sleep 1; echo still', log);
    await process.ended;

    expect(process.output()).toContain('still\n');
    expect(process.output()).toMatch(new RegExp(`not in the log file any more: ${reason}`));
  }
  const logged = sh('echo works', file);
  await logged.ended;
  await waitFor('the log is written', () => readFileSync(file, 'utf8') === 'works\n');
});
