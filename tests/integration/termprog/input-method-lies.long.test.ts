import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { connectX } from '../../../scripts/stack/x-client.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { playInputMethod } from '../../harness/played-input-method.ts';
import { type ReportingTerminal, startReportingTerminal } from '../../harness/reporting-terminal.ts';
import { startTermprog } from '../../harness/start-termprog.ts';

const SERVER = 'played';

const start = (): Promise<ReportingTerminal> =>
  startReportingTerminal(desktop, startTermprog, {
    args: ['-xrm', '*logLevel: debug'],
    environment: { XMODIFIERS: `@im=${SERVER}` },
  });

/** A server is looked for with each key, at most once a second. */
const untilAsked = (terminal: ReportingTerminal, server: { asker(): number | undefined }): Promise<unknown> =>
  waitFor('the terminal asks the server', async () => {
    await terminal.reports('key', 'x');
    return server.asker();
  });

const lost = (terminal: ReportingTerminal): number => terminal.output().split('the input method is lost').length - 1;

test('a server that gives a window of the terminal for its own is left, and keys still come', async () => {
  await using terminal = await start();
  using server = await playInputMethod(desktop.environment, SERVER);
  await untilAsked(terminal, server);
  const end = server.asker() ?? 0;
  server.accept(terminal.window);
  await waitFor('it is left', () => lost(terminal) === 1);
  expect(await terminal.reports('key', 'y')).toBe('y');

  await untilAsked(terminal, server);
  expect(server.asker()).not.toBe(end);
  server.accept(server.asker() ?? 0);
  await waitFor('it is left', () => lost(terminal) === 2);
  expect(await terminal.reports('key', 'y')).toBe('y');
});

test('a server that gives the root window, a window that is not there, or no window for its own is left', async () => {
  await using terminal = await start();
  using server = await playInputMethod(desktop.environment, SERVER);
  const { client, screen } = await connectX(desktop.environment);
  const destroyed = client.AllocID();
  client.terminate();
  for (const [count, window] of [screen[0]?.root ?? 0, destroyed, 0, 1].entries()) {
    await untilAsked(terminal, server);
    server.accept(window);
    await waitFor('it is left', () => lost(terminal) === count + 1);
  }
  expect(terminal.output()).not.toContain('refused');
  expect(await terminal.reports('key', 'y')).toBe('y');
});

test('a server that ends before it has answered is left, and its successor is asked', async () => {
  await using terminal = await start();
  {
    using server = await playInputMethod(desktop.environment, SERVER);
    await untilAsked(terminal, server);
  }
  using successor = await playInputMethod(desktop.environment, SERVER);
  await untilAsked(terminal, successor);
});

test('a server that never answers is left, and another one is asked', async () => {
  await using terminal = await start();
  using server = await playInputMethod(desktop.environment, SERVER);
  await untilAsked(terminal, server);
  using other = await playInputMethod(desktop.environment, SERVER);
  await untilAsked(terminal, other);
});
