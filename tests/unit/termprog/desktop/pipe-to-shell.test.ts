import { expect, test } from 'vitest';
import { pipeToShell } from '../../../../src/termprog/desktop/pipe-to-shell.ts';

/** Length of a text that the kernel does not take as one argument; execve(2). */
const TOO_LONG = 200_000;

test('a command that the system refuses to start has ended, with the reason', async () => {
  const command = `: ${'x'.repeat(TOO_LONG)}`;
  const failure = await new Promise((resolve) =>
    pipeToShell({ command, input: 'text', directory: undefined, environment: {} }, resolve),
  );
  expect(failure).toBe('spawn E2BIG');
});
