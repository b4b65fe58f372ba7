import { expect, onTestFinished, test } from 'vitest';
import type { ChildEnd } from '../../../../../src/termprog/pty/child.ts';
import { type ChildCommand, childCommand } from '../../../../../src/termprog/pty/child-command.ts';
import { startChild } from '../../../../../src/termprog/window/session/start-child.ts';

const SIZE = { rows: 24, columns: 80, width: 480, height: 312 };

const ofWords = (...words: string[]): ChildCommand => childCommand(words, { shell: '/bin/sh', isLogin: false });

test('a word that is not a program is a line for the shell', async () => {
  expect(await run(ofWords('echo one; echo two'))).toEqual({
    output: 'one\r\ntwo\r\n',
    end: { exitCode: 0, signal: undefined },
    failure: undefined,
  });
});

test('a word that is a program is that program, though the shell would read it otherwise', async () => {
  expect((await run(ofWords('true'))).end.exitCode).toBe(0);
});

test('a word that neither is a program nor means anything to the shell is a failure that names it', async () => {
  const { end, failure } = await run(ofWords('no-such-command'));
  expect(end.exitCode).toBe(127);
  expect(failure).toBe(
    "the command no-such-command can't be started: there is no such program (ENOENT); -e takes a program and its arguments, or one word for the shell",
  );
});

for (const [words, reason] of [
  [['/no/such', 'a'], 'there is no such program (ENOENT)'],
  [['/etc/passwd', 'a'], 'it may not be executed (EACCES)'],
  [['/etc/passwd/x', 'a'], 'a part of its path is not a folder (ENOTDIR)'],
] as const) {
  test(`${words.join(' ')} can't be started, and the message says why`, async () => {
    await expect(run(ofWords(...words))).rejects.toThrow(
      `the command ${words[0]} can't be started: ${reason}; -e takes`,
    );
  });
}

test('a window that stays shows why its command was not started', async () => {
  const { output, failure } = await run(ofWords('/no/such', 'a'), { hold: true });
  expect(output).toBe(`termprog: ${failure}\r\n`);
});

test('a shell that is none is what could not be started', async () => {
  const command = childCommand(['echo one; echo two'], { shell: '/no/shell', isLogin: false });
  await expect(run(command)).rejects.toThrow('the command echo one; echo two');
});

/** Runs a command to its end: what it wrote, and what was wrong with it. */
async function run(command: ChildCommand, { hold = false } = {}) {
  const { child, failureOf } = startChild(command, {
    environment: { PATH: process.env['PATH'] },
    shell: '/bin/sh',
    termName: 'xterm-256color',
    windowId: 1,
    display: ':1',
    size: SIZE,
    staysVisible: () => hold,
  });
  onTestFinished(() => child.close());
  let output = '';
  const end = await new Promise<ChildEnd>((onEnd) => {
    child.listen({
      onData: (bytes) => {
        output += Buffer.from(bytes).toString();
      },
      onDrained: () => {},
      onEnd,
    });
  });
  return { output, end, failure: failureOf(end)?.message };
}
