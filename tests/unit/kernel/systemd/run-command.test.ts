import { execa } from 'execa';
import { expect, test } from 'vitest';
import { complaintOf, runCommand, spelled } from '../../../../src/kernel/systemd/run-command.ts';

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

test('a command that is shown can be pasted, with any characters in its words', async () => {
  const words = ['/srv/a;b $(id) `id` $HOME/x', "it's", 'two\nlines', '', '*', '-', '~', '!x', 'é"\\', '#room', 'a=b'];

  const { stdout } = await execa('bash', ['-c', `printf '<%s>' ${spelled(words)}`], { timeout: 60_000 });

  expect(stdout).toBe(words.map((word) => `<${word}>`).join(''));
  expect(spelled(['systemctl', 'start', 'homeport-agent.service'])).toBe('systemctl start homeport-agent.service');
});
