import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { connectToDisplay } from '../../../src/termprog/x11/open-display.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { type ReportingTerminal, startReportingTerminal } from '../../harness/reporting-terminal.ts';
import { startTermprog } from '../../harness/start-termprog.ts';

const CLIENT_MESSAGE = 33;
const INPUT_ONLY = 2;

/** An input method that gets requests for a connection and does only what the test says. */
interface MadeServer extends Disposable {
  /** Windows of the terminals that asked. */
  readonly asked: readonly number[];
  /** Accepts a connection, and names a window as its own end. */
  accept(terminalEnd: number, ownEnd: number): void;
}

const start = (): Promise<ReportingTerminal> =>
  startReportingTerminal(desktop, startTermprog, {
    args: ['-xrm', '*logLevel: debug'],
    environment: { XMODIFIERS: '@im=made' },
  });

/** Types until the server is asked: the terminal looks for one with each key, at most once a second. */
const untilAsked = (terminal: ReportingTerminal, { asked }: MadeServer): Promise<unknown> =>
  waitFor('the terminal asks', async () => {
    await terminal.reports('key', 'x');
    return asked.length > 0;
  });

test('after an input method that ends before it has answered, its successor is found', async () => {
  await using terminal = await start();
  const first = await startServer();
  await untilAsked(terminal, first);
  first[Symbol.dispose]();
  using second = await startServer();
  await untilAsked(terminal, second);
  expect(second.asked).toHaveLength(1);
});

test.each([
  ['the terminal', (terminal: ReportingTerminal) => terminal.window],
  ['no window', () => 0],
])('an input method that names %s as its own end is left, and the terminal goes on', async (_name, windowOf) => {
  await using terminal = await start();
  using server = await startServer();
  await untilAsked(terminal, server);
  server.accept(server.asked[0] ?? 0, windowOf(terminal));
  await waitFor('it is left', async () => {
    await terminal.reports('key', 'x');
    return terminal.output().includes('the input method is lost');
  });
  // The handlers of the terminal's own events are still there, also those of the keyboard's mapping.
  await desktop.run('setxkbmap', 'de');
  expect(await terminal.reports('key', 'z', 'y')).toBe('zy');
  await desktop.run('setxkbmap', 'us');
});

async function startServer(): Promise<MadeServer> {
  const { DISPLAY: displayName, XAUTHORITY } = desktop.environment;
  const connection = await connectToDisplay({
    displayName,
    hostName: hostname(),
    authorityFile: readFileSync(XAUTHORITY),
  });
  const { client, screen } = connection;
  const connect = await connection.internAtom('_XIM_XCONNECT');
  const selection = await connection.internAtom('@server=made');
  const asked: number[] = [];
  connection.listen({
    onEvent: ({ rawData }) => {
      if ((rawData.readUInt8(0) & 0x7f) === CLIENT_MESSAGE && rawData.readUInt32LE(8) === connect)
        asked.push(rawData.readUInt32LE(12));
    },
    onError: () => {},
    onEnd: () => {},
  });
  const window = client.AllocID();
  client.CreateWindow(window, screen.root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, {});
  client.SetSelectionOwner(window, selection, 0);
  connection.flush();
  return {
    asked,
    accept: (terminalEnd, ownEnd) => {
      const event = Buffer.alloc(32);
      event.writeUInt8(CLIENT_MESSAGE, 0);
      event.writeUInt8(32, 1);
      event.writeUInt32LE(terminalEnd, 4);
      event.writeUInt32LE(connect, 8);
      event.writeUInt32LE(ownEnd, 12);
      client.SendEvent(terminalEnd, 0, 0, event, () => true);
      connection.flush();
    },
    [Symbol.dispose]: () => connection.close(),
  };
}
