import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { tempFolder } from '../../harness/temp-folder.ts';
import { openTerminalSocket } from '../../harness/terminal-socket.ts';

const SILENCE_MS = 400;

test('an answer may take longer than the deadline as long as it goes on', async () => {
  await using started = await start();
  const { socket, terminal } = started;
  const asked = socket.ask('?', (text) => text.endsWith('.'));
  for (const piece of ['a', 'b', 'c', 'd', 'e', '.']) {
    await sleep(SILENCE_MS / 4);
    terminal.write(piece);
  }
  expect(await asked).toBe('abcde.');
});

test('a terminal that says no more is given up, with what it said', async () => {
  await using started = await start();
  const { socket, terminal } = started;
  const asked = socket.ask('?', (text) => text.endsWith('.'));
  terminal.write('ab');
  await expect(asked).rejects.toThrow('the terminal answered only "ab"');
});

/** A terminal that answers what the test says. */
async function start() {
  const parts = new AsyncDisposableStack();
  const folder = parts.use(await tempFolder());
  const socket = parts.use(await openTerminalSocket(folder.path, { silenceMs: SILENCE_MS }));
  const terminal: Socket = connect(socket.command.at(-1) ?? '');
  parts.defer(() => void terminal.destroy());
  await once(terminal, 'connect');
  return { socket, terminal, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}
