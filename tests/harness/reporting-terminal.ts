import type { PNG } from 'pngjs';
import type { StartedTerminal, TerminalOptions, XDesktop } from './start-termprog.ts';
import { openTerminalSocket } from './terminal-socket.ts';

/** A terminal whose program requests reports of mouse and focus. */
export interface ReportingTerminal extends AsyncDisposable {
  readonly window: number;
  /** Writes output; returns what the terminal answers before the report of its status. */
  write(output: string): Promise<string>;
  /** Returns the reports that the program gets while a user does something; `steps` are arguments of xdotool. */
  reports(...steps: readonly (string | number)[]): Promise<string>;
  /** Like `reports`, but resolves as soon as any report comes. */
  untilReport(...steps: readonly (string | number)[]): Promise<string>;
  /** Resolves to the next report of the focus. */
  untilFocusReport(): Promise<string>;
  screenshot(): Promise<PNG>;
  /** Output of the terminal's process. */
  output(): string;
}

/** The key that follows a user's actions: its bytes show that all reports before them are there. */
const LAST_KEY = { name: 'F5', bytes: '\x1b[15~' } as const;

const STATUS = { request: '\x1b[5n', answer: '\x1b[0n' } as const;

type Start = (desktop: XDesktop, options: TerminalOptions) => Promise<StartedTerminal>;

/** Starts a terminal at the top left corner of the screen, with cells of 6 by 13 pixels behind a border of 2. */
export async function startReportingTerminal(
  desktop: XDesktop,
  start: Start,
  { args = [], environment }: TerminalOptions = {},
): Promise<ReportingTerminal> {
  await using parts = new AsyncDisposableStack();
  const socket = parts.use(await openTerminalSocket(desktop.folder));
  const terminal = parts.use(
    await start(desktop, {
      args: ['-fn', 'fixed', '-b', '2', '-geometry', '80x24+0+0', ...args],
      script: `stty raw -echo && exec ${socket.command.slice(-3).join(' ')}`,
      ...(environment === undefined ? {} : { environment }),
    }),
  );
  const write = async (output: string): Promise<string> => {
    const answer = await socket.ask(`${output}${STATUS.request}`, (text) => text.endsWith(STATUS.answer));
    return answer.slice(0, -STATUS.answer.length);
  };
  await write('');
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  const kept = parts.move();
  return {
    window: terminal.window,
    write,
    reports: async (...steps) => {
      const told = socket.ask('', (text) => text.endsWith(LAST_KEY.bytes));
      await desktop.run('xdotool', ...steps.map(String), 'key', LAST_KEY.name);
      return (await told).slice(0, -LAST_KEY.bytes.length);
    },
    untilReport: async (...steps) => {
      const told = socket.ask('', (text) => isReport(text));
      await desktop.run('xdotool', ...steps.map(String));
      return told;
    },
    untilFocusReport: () => socket.ask('', (text) => /\[[IO]$/.test(text)),
    screenshot: () => terminal.screenshot(),
    output: () => terminal.process.output(),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Whether a text is one whole report of a button. */
const isReport = (text: string): boolean => (text.startsWith('\x1b[M') ? text.length >= 6 : /\d[Mm]$/.test(text));
