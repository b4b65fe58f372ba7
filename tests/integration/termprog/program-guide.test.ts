import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { blockOf } from '../../harness/guide-blocks.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const GUIDE = 'terminal-programs.md';
const run = promisify(execFile);

/** A block of the guide as a file. */
function fileOf(folder: string, language: string): string {
  const file = join(folder, language);
  writeFileSync(file, blockOf(GUIDE, language));
  return file;
}

test('tmux takes the lines of the guide, and then has the features', async () => {
  await using folder = await tempFolder();
  const tmux = (...args: string[]) =>
    run('tmux', ['-S', join(folder.path, 'socket'), '-f', '/dev/null', ...args], { timeout: 20_000 });
  try {
    await tmux('new-session', '-d', 'sleep 60');
    // Fails for a line that tmux does not know.
    await tmux('source-file', fileOf(folder.path, 'tmux'));
    const { stdout } = await tmux('show-options', '-s', 'terminal-features');
    expect(stdout).toMatch(/xterm-256color:RGB:hyperlinks:usstyle/);
    expect((await tmux('show-options', '-gv', 'default-terminal')).stdout).toBe('tmux-256color\n');
  } finally {
    await tmux('kill-server').catch(() => {});
  }
});

test('ssh sends the variables that the guide names', async () => {
  await using folder = await tempFolder();
  const { stdout } = await run('ssh', ['-G', '-F', fileOf(folder.path, 'ssh'), 'host.example']);
  expect(stdout).toMatch(/^sendenv COLORTERM$/m);
  expect(stdout).toMatch(/^sendenv TERM_PROGRAM_VERSION$/m);
});
