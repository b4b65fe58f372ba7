import { startProcess } from '../../scripts/stack/managed-process.ts';
import type { XDesktop } from './start-termprog.ts';
import { openTerminalSocket } from './terminal-socket.ts';

/**
 * Contents of a terminal's screen: rows of characters, an empty cell being a space, and the cursor's position, from 1.
 */
export interface SeenScreen {
  rows: string[];
  cursor: string;
}

export interface ReferenceTerminal extends AsyncDisposable {
  /** Writes output, and reads the screen after it. */
  show(output: string): Promise<SeenScreen>;
  /** Writes output whose last requests are for this many checksums; returns all answers. */
  ask(output: string, checksums: number): Promise<string>;
}

/** Returns the checksums in an answer. */
export const checksumsIn = (answer: string): number[] =>
  [...answer.matchAll(/!~([0-9A-F]{4})/g)].map(([, digits = '']) => Number.parseInt(digits, 16));

/** Asks for the checksum of each cell. */
export const checksumRequests = ({ columns, rows }: { columns: number; rows: number }): string =>
  Array.from({ length: rows * columns }, (_, cell) =>
    checksumRequest(Math.floor(cell / columns) + 1, (cell % columns) + 1),
  ).join('');

/** Character of a cell that was never written to; xterm reports 0 for some of them. */
const EMPTY = 0x20;

const RESOURCES = ['*allowWindowOps: true', '*disallowedWindowOps:', '*checksumExtension: 23', '*saveLines: 0'];

/** Starts xterm as a VT420 that reports the contents of its screen. */
export async function startReferenceTerminal(
  desktop: XDesktop,
  { columns, rows }: { columns: number; rows: number },
): Promise<ReferenceTerminal> {
  const socket = await openTerminalSocket(desktop.folder);
  const resources = RESOURCES.flatMap((resource) => ['-xrm', resource]);
  const geometry = `${columns}x${rows}`;
  const terminal = startProcess({
    name: 'xterm',
    command: [
      'xterm',
      '-u8',
      '-ti',
      'vt420',
      '-fn',
      'fixed',
      '-geometry',
      geometry,
      ...resources,
      '-e',
      ...socket.command,
    ],
    env: { HOME: '/nonexistent', LC_ALL: 'C.UTF-8', ...desktop.environment },
  });
  const requests = checksumRequests({ columns, rows });
  const ask = (output: string, checksums: number): Promise<string> =>
    socket.ask(output, (answer) => checksumsIn(answer).length === checksums && answer.endsWith('\\'));
  return {
    ask,
    show: async (output) => {
      // Addresses must count from the corner; the mode moves the cursor, so its position was requested before.
      const answer = await ask(`${output}\x1b[?6n\x1b[?6l${requests}`, rows * columns);
      const text = String.fromCharCode(...checksumsIn(answer).map((sum) => sum || EMPTY));
      const cursor = /\?([\d;]+)R/.exec(answer)?.[1] ?? '';
      return { rows: Array.from({ length: rows }, (_, row) => text.slice(row * columns, (row + 1) * columns)), cursor };
    },
    [Symbol.asyncDispose]: async () => {
      await terminal.stop();
      await socket[Symbol.asyncDispose]();
    },
  };
}

function checksumRequest(row: number, column: number): string {
  return `\x1b[1;1;${row};${column};${row};${column}*y`;
}
