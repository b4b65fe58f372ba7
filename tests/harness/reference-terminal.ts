import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { startProcess } from '../../scripts/stack/managed-process.ts';
import type { XDesktop } from './start-termprog.ts';

/** Far more than an answer takes. */
const ANSWER_DEADLINE_MS = 10_000;

/** What a terminal shows: rows of characters, an empty cell being a space, and where the cursor is, from 1. */
export interface SeenScreen {
  rows: string[];
  cursor: string;
}

export interface ReferenceTerminal extends AsyncDisposable {
  /** Writes output, and reads the screen after it. */
  show(output: string): Promise<SeenScreen>;
}

/** Starts xterm as a VT420 that tells what is on its screen. */
export async function startReferenceTerminal(
  desktop: XDesktop,
  { columns, rows }: { columns: number; rows: number },
): Promise<ReferenceTerminal> {
  const path = join(desktop.folder, 'reference.sock');
  const server = createServer();
  server.listen(path);
  await once(server, 'listening');
  const resources = ['*allowWindowOps: true', '*disallowedWindowOps:', '*checksumExtension: 23', '*saveLines: 0'];
  const terminal = startProcess({
    name: 'xterm',
    command: [
      'xterm',
      ...['-u8', '-ti', 'vt420', '-fn', 'fixed', '-geometry', `${columns}x${rows}`],
      ...resources.flatMap((resource) => ['-xrm', resource]),
      ...['-e', process.execPath, 'tests/harness/terminal-relay.mjs', path],
    ],
    env: { HOME: '/nonexistent', LC_ALL: 'C.UTF-8', ...desktop.environment },
  });
  const [socket] = (await once(server, 'connection')) as [Socket];
  socket.setEncoding('latin1');
  let received = '';
  let wake: (() => void) | undefined;
  socket.on('data', (text: string) => {
    received += text;
    wake?.();
  });
  const requests = Array.from({ length: rows }, (_row, row) =>
    Array.from({ length: columns }, (_column, column) => checksumRequest(row + 1, column + 1)).join(''),
  ).join('');
  const count = rows * columns;

  return {
    show: async (output) => {
      received = '';
      // Addresses must count from the corner, and the margins stay as they are.
      socket.write(Buffer.from(`${output}\x1b[?6n\x1b[?6l${requests}`, 'utf8'));
      const signal = AbortSignal.timeout(ANSWER_DEADLINE_MS);
      while ((received.match(/!~/g)?.length ?? 0) < count || !received.endsWith('\x1b\\')) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        wake = resolve;
        signal.addEventListener('abort', () => reject(new Error(`xterm answered only ${JSON.stringify(received)}`)));
        await promise;
      }
      const sums = [...received.matchAll(/!~([0-9A-F]{4})/g)].map(([, digits = '']) => Number.parseInt(digits, 16));
      const text = String.fromCharCode(...sums);
      const cursor = /\?([\d;]+)R/.exec(received)?.[1] ?? '';
      return { rows: Array.from({ length: rows }, (_, row) => text.slice(row * columns, (row + 1) * columns)), cursor };
    },
    [Symbol.asyncDispose]: async () => {
      socket.destroy();
      server.close();
      await terminal.stop();
    },
  };
}

function checksumRequest(row: number, column: number): string {
  return `\x1b[1;1;${row};${column};${row};${column}*y`;
}
