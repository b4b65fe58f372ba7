import { execa } from 'execa';
import { expect, test } from 'vitest';

const DEADLINE_MS = 120_000;

for (const [why, words, complaint] of [
  [
    'an unknown command',
    ['docter'],
    'unknown command docter: expected one of run, migrate, doctor, invite, backup, restore, rotate-keys,',
  ],
  ['a command behind its options', ['--config', '/x', 'doctor'], 'doctor must come before its options'],
  ['a word too many', ['doctor', 'all'], 'doctor does not take all'],
  ['an unknown option', ['doctor', '--all'], "Unknown option '--all'"],
  ['an option without its value', ['doctor', '--config'], "Option '--config <value>' argument missing"],
  ['a configuration where none is read', ['print-schema', '--config', '/x'], "Unknown option '--config'"],
  ['two files to check', ['check-config', '/y', '--config', '/x'], 'check-config takes one file, received /y and /x'],
] as const) {
  test(`${why} is wrong usage, and the help is named`, async () => {
    const { exitCode, stdout, stderr } = await connector(...words);

    expect([exitCode, stdout]).toEqual([64, '']);
    expect(stderr).toContain(`homeport-connector: ${complaint}`);
    expect(stderr).toContain('try: homeport-connector --help');
  });
}

test('the help of a command names its options and where the configuration is', async () => {
  const long = await connector('doctor', '--help');

  expect(long).toMatchObject({ exitCode: 0, stderr: '' });
  expect(long.stdout).toContain('--config FILE  configuration to read (default /etc/homeport/connector.json)');
  expect(await connector('doctor', '-h')).toEqual(long);
  expect((await connector('print-schema', '-h')).stdout).not.toContain('--config');
});

async function connector(
  ...words: string[]
): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }> {
  const { exitCode, stdout, stderr } = await execa(process.execPath, ['dist/connector.mjs', ...words], {
    reject: false,
    timeout: DEADLINE_MS,
  });
  return { exitCode, stdout, stderr };
}
