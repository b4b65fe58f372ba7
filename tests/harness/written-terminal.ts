import { type StartedTerminal, startTermprog, type TerminalOptions, type XDesktop } from './start-termprog.ts';
import { openTerminalSocket } from './terminal-socket.ts';

/** Request for the terminal's state (DSR), which it answers when it has parsed all that came before the request. */
const STATE_QUESTION = '\x1b[5n';
const STATE_ANSWER = '\x1b[0n';

/** A terminal that a test writes to. */
export interface WrittenTerminal extends AsyncDisposable {
  readonly terminal: StartedTerminal;
  /** Writes output, and waits until it is parsed. */
  write(output: string): Promise<void>;
}

export async function startWrittenTerminal(
  desktop: XDesktop,
  { args = [], environment = {} }: Pick<TerminalOptions, 'args' | 'environment'> = {},
): Promise<WrittenTerminal> {
  const socket = await openTerminalSocket(desktop.folder);
  const terminal = await startTermprog(desktop, { args: [...args, '-e', ...socket.command], environment });
  return {
    terminal,
    write: async (output) =>
      void (await socket.ask(`${output}${STATE_QUESTION}`, (answer) => answer.endsWith(STATE_ANSWER))),
    [Symbol.asyncDispose]: async () => {
      await terminal[Symbol.asyncDispose]();
      await socket[Symbol.asyncDispose]();
    },
  };
}
