import { afterAll, expect } from 'vitest';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { type ReportingTerminal, startReportingTerminal } from '../../harness/reporting-terminal.ts';
import { startTermprog } from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

let server: ManagedProcess;

test.beforeAll(async () => {
  server = await startServer();
});

afterAll(async () => {
  await server.stop();
});

const BLACK = 0;

/** Turns Japanese input on, writes a word in Latin letters, converts it, takes it, and turns Japanese input off. */
const WORD = ['shift+space', ...'nihongo', 'space', 'Return', 'shift+space'];
const CONVERTED = '日本語';

/** A server is looked for with each key, at most once a second; keys do not wait for it. */
const untilReady = (terminal: ReportingTerminal, times: number): Promise<unknown> =>
  waitFor('the input method gets keys', async () => {
    await type(terminal, 'x');
    return terminal.output().split('the input method is ready').length > times;
  });

const type = async (terminal: ReportingTerminal, ...keys: readonly string[]): Promise<string> =>
  Buffer.from(await terminal.reports('key', ...keys), 'latin1').toString('utf8');

test('a word is composed; keys that the input method does not want come as without it', async () => {
  await using terminal = await startComposing();
  expect(await type(terminal, 'a', 'ctrl+a', 'Up', ...WORD, 'b')).toBe(`a\x01\x1b[A${CONVERTED}b`);
});

test('composed text is shown at the cursor until it is committed or cancelled', async () => {
  await using terminal = await startComposing();
  const black = async (): Promise<number> => countColor(await terminal.screenshot(), BLACK);
  const before = await black();
  await desktop.run('xdotool', 'key', 'shift+space', ...'kyou');
  // Letters, and a line under them.
  await waitFor('it shows', async () => (await black()) > before + 20);
  await desktop.run('xdotool', 'key', 'Escape', 'shift+space');
  await waitFor('it is gone', async () => (await black()) === before);
});

test('an input method that hangs takes no key away, and is used again when it goes on', async () => {
  await using terminal = await startComposing();
  server.kill('SIGSTOP');
  try {
    expect(await type(terminal, 'x', 'y', 'z')).toBe('xyz');
  } finally {
    server.kill('SIGCONT');
  }
  // Keys that it slept over are answered before those that it gets from now on.
  await waitFor('it takes keys again', async () => !(await type(terminal, 'shift+space')).includes(' '));
  expect(await type(terminal, 'shift+space', ...WORD)).toBe(CONVERTED);
});

test('an input method that ends takes no key away, and its successor is found', async () => {
  await using terminal = await startComposing();
  await server.stop();
  expect(await type(terminal, 'x', 'y')).toBe('xy');
  server = await startServer();
  await untilReady(terminal, 2);
  expect(await type(terminal, ...WORD)).toBe(CONVERTED);
});

test('where the environment names no input method, keys come as they are', async () => {
  await using terminal = await startReportingTerminal(desktop, startTermprog, {
    environment: { XMODIFIERS: '@im=none' },
  });
  expect(await type(terminal, ...WORD)).toBe(' nihongo \r ');
});

async function startServer(): Promise<ManagedProcess> {
  const process = startProcess({
    name: 'uim-xim',
    command: ['uim-xim', '--engine=anthy-utf8'],
    env: { HOME: desktop.folder, LC_ALL: 'C.UTF-8', ...desktop.environment },
  });
  await waitFor('the input method is there', async () =>
    (await desktop.run('xprop', '-root', 'XIM_SERVERS')).includes('@server=uim'),
  );
  return process;
}

/** Starts a terminal, and waits until the input method gets its keys. */
async function startComposing(): Promise<ReportingTerminal> {
  const terminal = await startReportingTerminal(desktop, startTermprog, {
    args: ['-xrm', '*logLevel: debug'],
    environment: { XMODIFIERS: '@im=uim' },
  });
  await untilReady(terminal, 1);
  return terminal;
}
