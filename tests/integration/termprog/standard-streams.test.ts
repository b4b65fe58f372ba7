import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { startXDesktop } from '../../harness/start-termprog.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** A start and an end take a fraction of this. */
const RUN_DEADLINE_MS = 20_000;

/** Runs a shell command that starts the terminal as `"$T"`. */
async function runShell(script: string, env: Record<string, string>): Promise<void> {
  await execa('sh', ['-c', script], {
    env: { ...env, T: join('bin', 'termprog'), HOME: '/nonexistent', XFILESEARCHPATH: '/nonexistent' },
    timeout: RUN_DEADLINE_MS,
  });
}

for (const [what, redirection] of [
  ['a pipe nobody reads', '2>&1 >/dev/null | true'],
  ['a full device', '2>/dev/full'],
  ['closed', '2>&-'],
] as const) {
  test(`a session goes on where standard error is ${what}`, async () => {
    await using desktop = await startXDesktop();
    const file = (name: string): string => join(desktop.folder, name);

    // Two warnings at the start: the second finds the stream lost. The pipe's reader is gone before the first.
    await runShell(
      `{ sleep 0.2; "$T" -fn no-such-font -xrm '*boldFont: neither' -e sh -c 'sleep 0.5; echo ran > ${file('ran')}'
        echo $? > ${file('status')}; } ${redirection}`,
      desktop.environment,
    );

    expect(readFileSync(file('ran'), 'utf8')).toBe('ran\n');
    expect(readFileSync(file('status'), 'utf8')).toBe('0\n');
  });
}

for (const argument of ['-help', '-version', '-report-config']) {
  test(`${argument} to a pipe nobody reads is status 1 and no stack`, async () => {
    await using folder = await tempFolder();
    const file = (name: string): string => join(folder.path, name);

    await runShell(`{ sleep 0.2; "$T" ${argument} 2> ${file('errors')}; echo $? > ${file('status')}; } | true`, {
      DISPLAY: '',
    });
    for (let tries = 0; tries < 100 && !existsSync(file('status')); tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }

    expect(readFileSync(file('status'), 'utf8')).toBe('1\n');
    expect(readFileSync(file('errors'), 'utf8')).not.toContain('Error');
  });
}
