import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { startChild } from '../../unit/termprog/pty/open-pty.ts';

/** A start and an end take a fraction of this. */
const RUN_DEADLINE_MS = 120_000;

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

test('a session goes on where standard error is a full pipe', async () => {
  await using desktop = await startXDesktop();
  const file = (name: string): string => join(desktop.folder, name);

  // The reader of the pipe does not read until the session is over.
  await runShell(
    `{ head -c 65536 /dev/zero >&2; "$T" -fn no-such-font -xrm '*boldFont: neither' -e sh -c ': > ${file('ran')}'
      echo $? > ${file('status')}; } 2>&1 >/dev/null | while [ ! -e ${file('status')} ]; do sleep 0.05; done`,
    desktop.environment,
  );

  expect(existsSync(file('ran'))).toBe(true);
  expect(readFileSync(file('status'), 'utf8')).toBe('0\n');
});

test('a session goes on where standard error is a terminal that its user has stopped', async () => {
  await using desktop = await startXDesktop();
  const file = (name: string): string => join(desktop.folder, name);
  const { pty, output } = startChild(
    `echo ready; read go; bin/termprog -fn no-such-font -xrm '*boldFont: neither' -e sh -c ': > ${file('ran')}'
      echo $? > ${file('status')}`,
    { environment: environmentOf(desktop) },
  );
  await waitFor('it is ready', () => output().includes('ready'));
  pty.input.write(Buffer.from('\x13go\n'));
  await waitFor('the session is over', () => existsSync(file('status')), { timeoutMs: RUN_DEADLINE_MS });

  expect(existsSync(file('ran'))).toBe(true);
  expect(output().toString()).not.toContain('warning');
  expect(readFileSync(file('status'), 'utf8')).toBe('0\n');
});

test('messages reach a terminal', async () => {
  await using desktop = await startXDesktop();
  const { ended, output } = startChild('bin/termprog -fn no-such-font -e true', {
    environment: environmentOf(desktop),
  });
  await ended;
  expect(output().toString()).toMatch(/^termprog: warning: .*no-such-font.*\r\n$/);
});

for (const argument of ['-help', '-version', '-report-config']) {
  test(`${argument} to a pipe without a reader is status 1 and no stack`, async () => {
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

test('a report that does not fit on the disk is one line and status 1', async () => {
  await using folder = await tempFolder();
  const file = (name: string): string => join(folder.path, name);

  // A limit of 2 KiB stands for the full disk: the first write takes a part, and only the next one fails.
  await runShell(
    `ulimit -f 4; "$T" -report-config > ${file('report')} 2> ${file('errors')}; echo $? > ${file('status')}`,
    {
      DISPLAY: '',
    },
  );

  expect(readFileSync(file('status'), 'utf8')).toBe('1\n');
  expect(readFileSync(file('errors'), 'utf8')).toMatch(/^termprog: not all of it could be written: EFBIG: .+\n$/);
});

test('a report for a device that is full is one line and status 1', async () => {
  await using folder = await tempFolder();
  const file = (name: string): string => join(folder.path, name);

  await runShell(`"$T" -report-config > /dev/full 2> ${file('errors')}; echo $? > ${file('status')}`, { DISPLAY: '' });

  expect(readFileSync(file('status'), 'utf8')).toBe('1\n');
  expect(readFileSync(file('errors'), 'utf8')).toMatch(/^termprog: not all of it could be written: ENOSPC: .+\n$/);
});

/** Runs a shell command that starts the terminal as `"$T"`. */
async function runShell(script: string, env: Record<string, string>): Promise<void> {
  await execa('sh', ['-c', script], {
    env: { ...env, T: join('bin', 'termprog'), HOME: '/nonexistent', XFILESEARCHPATH: '/nonexistent' },
    timeout: RUN_DEADLINE_MS,
  });
}

/** Returns the variables that a program in a terminal of its own needs, as `NAME=value`. */
function environmentOf({ environment }: XDesktop): string[] {
  const variables = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    XFILESEARCHPATH: '/nonexistent',
    ...environment,
  };
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`);
}
