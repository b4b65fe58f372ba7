import { startTermprog, type XDesktop } from './start-termprog.ts';
import { openTerminalSocket, scriptOf } from './terminal-socket.ts';

/** A key that ends what is typed, and what it sends. */
const END_KEY = 'F5';
const END = '\x1b[15~';

/** A terminal that is typed in. */
export interface Typist extends AsyncDisposable {
  readonly window: number;
  /** Presses keys, by their keycodes and modifiers, and gives the text that the application gets. */
  type(...strokes: string[]): Promise<string>;
  /** Returns the application's input up to the next F5, which is not pressed here. */
  next(): Promise<string>;
  /** Waits until the application got text that is like this. */
  sees(isThere: (text: string) => boolean): Promise<string>;
  /** Sends output of the application, and waits until it has been read. */
  tell(output: string): Promise<void>;
  /** Output of the terminal's process, which has its complaints. */
  readonly complaints: string;
}

/** Starts a terminal and gives it the focus. */
export async function startTypist(desktop: XDesktop, environment: Record<string, string> = {}): Promise<Typist> {
  const socket = await openTerminalSocket(desktop.folder);
  const terminal = await startTermprog(desktop, { script: scriptOf(socket), environment });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await socket.ask('\x1b[5n', (answer) => answer.endsWith('\x1b[0n'));
  const next = async (): Promise<string> => {
    const typed = await socket.ask('', (answer) => answer.includes(END));
    return Buffer.from(typed.slice(0, typed.indexOf(END)), 'latin1').toString('utf8');
  };
  return {
    window: terminal.window,
    next,
    sees: (isThere) => socket.ask('', isThere),
    type: async (...strokes) => {
      const typed = next();
      await desktop.run('xdotool', 'key', '--delay', '0', ...strokes, END_KEY);
      return typed;
    },
    tell: async (output) => void (await socket.ask(`${output}\x1b[5n`, (answer) => answer.endsWith('\x1b[0n'))),
    get complaints() {
      return terminal.process.output();
    },
    [Symbol.asyncDispose]: async () => {
      await terminal[Symbol.asyncDispose]();
      await socket[Symbol.asyncDispose]();
    },
  };
}
