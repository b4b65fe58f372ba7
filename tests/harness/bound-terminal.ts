import { existsSync } from 'node:fs';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { contentOf, startTermprog, type XDesktop } from './start-termprog.ts';

/** Comes last, so that all keys before it have arrived or never will. */
const LAST_KEY = 'period';

export interface BoundTerminal extends AsyncDisposable {
  readonly window: number;
  /** Text that the terminal wrote to its standard error stream. */
  output(): string;
  /** Runs xdotool(1), then types the last key; returns what the child read until then. */
  typed(...commands: string[]): Promise<string>;
}

/** A terminal with a table of translations, with the focus, and a child that writes down what it reads. */
export async function startBoundTerminal(
  desktop: XDesktop,
  lines: readonly string[],
  args: readonly string[] = [],
): Promise<BoundTerminal> {
  const file = desktop.newFile();
  const terminal = await startTermprog(desktop, {
    args: ['-xrm', `*vt100.translations: ${lines.join('\\n')}`, ...args],
    script: `stty raw -echo; : > ${file}; exec cat >> ${file}`,
  });
  await waitFor('the child reads', () => existsSync(file));
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  let read = 0;
  return {
    window: terminal.window,
    output: () => terminal.process.output(),
    typed: async (...commands) => {
      await desktop.run('xdotool', ...commands, 'key', LAST_KEY);
      await waitFor('the last key arrives', () => contentOf(file).slice(read).endsWith('.'), {
        process: terminal.process,
      });
      const bytes = contentOf(file).slice(read, -1);
      read += bytes.length + 1;
      return bytes;
    },
    [Symbol.asyncDispose]: () => terminal[Symbol.asyncDispose](),
  };
}
