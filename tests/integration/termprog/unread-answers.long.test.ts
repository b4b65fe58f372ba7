import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { startTermprog } from '../../harness/start-termprog.ts';

test('a program that asks a million times and reads no answer costs bounded memory and one line', async ({
  desktop,
}) => {
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

/** Resident memory of the terminal itself: its launchers have become it. */
function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
