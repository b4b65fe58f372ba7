import { expect, test } from 'vitest';
import { complaintOf, runCommand } from '../../../../src/kernel/systemd/run-command.ts';

const failing = ['sh', '-c', 'echo first >&2; echo; echo "  second" >&2; exit 3'];

test('a command that fails is reported in one line, with what it printed', () => {
  const line = `${failing.join(' ').replace(/-c .*/, "-c '")}${failing[2]}' failed: first; second`;

  expect(() => runCommand(failing)).toThrow(line);
  expect(complaintOf(failing)).toBe(line);
});

test('a command that prints no reason is reported with how it ended', () => {
  expect(() => runCommand(['sh', '-c', 'exit 3'])).toThrow("sh -c 'exit 3' failed: exit status 3");
  expect(() => runCommand(['sh', '-c', 'kill -9 $$'])).toThrow("sh -c 'kill -9 $$' failed: SIGKILL");
  expect(() => runCommand(['no-such-program'])).toThrow('no-such-program failed: spawnSync no-such-program ENOENT');
});
