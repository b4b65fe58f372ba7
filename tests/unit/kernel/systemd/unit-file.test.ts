import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLine, pathValue, plainText, unitText } from '../../../../src/kernel/systemd/unit-file.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test('words are written so that systemd gives them to the program as they are', () => {
  expect(commandLine('/opt/a b/100%$x', 'run', '--config', '/etc/$HOME/%n "it\'s" \\ x\n.json')).toBe(
    `"/opt/a b/100%%$x" run --config "/etc/$$HOME/%%n \\"it's\\" \\\\ x\\n.json"`,
  );
  expect(commandLine('/opt/homeport/bin/homeport-agent', 'run')).toBe('/opt/homeport/bin/homeport-agent run');
});

test('a program that systemd could not start is refused', () => {
  for (const path of [`/opt/it's/x`, '/opt/"q"/x', '/opt/a\\b/x', '/opt/a\nb/x']) {
    expect(() => commandLine(path)).toThrow(/^systemd starts no program at ".*": move it to a path without quotes/);
  }
});

test('systemd finds a program and a secret whose paths hold what units give a meaning to', async () => {
  await using folder = await tempFolder();
  const program = join(folder.path, 'o dd/100%n $x/program');
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  const unit = join(folder.path, 'odd.service');
  const secret = pathValue(`${dirname(program)}/50% "secret`);
  writeFileSync(
    unit,
    unitText({
      Unit: { Description: plainText('100%i odd') },
      Service: { ExecStart: commandLine(program, '50% $HOME'), LoadCredential: `token:${secret}` },
    }),
  );

  const verify = () =>
    execFileSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8', stdio: 'pipe' });

  expect(verify()).toBe('');
  // It does look: a path whose specifier is expanded names no file.
  writeFileSync(unit, unitText({ Service: { ExecStart: `"${program}"` } }));
  expect(verify).toThrow(/is not executable/);
});

test('a path that a line of a unit cannot end with is refused', () => {
  expect(pathValue('/etc/100% a/"b"')).toBe('/etc/100%% a/"b"');
  for (const path of ['/etc/a\nb', '/etc/a ', '/etc/a\\']) {
    expect(() => pathValue(path)).toThrow(/^a unit cannot name "/);
  }
});
