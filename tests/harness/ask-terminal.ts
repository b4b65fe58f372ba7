import { waitFor } from '../../scripts/stack/wait-for.ts';
import { contentOf, startTermprog, type TerminalOptions, type XDesktop } from './start-termprog.ts';

/** Asks for the terminal's state, which every terminal answers: what it sent before is then all there. */
const LAST_QUESTION = '\\033[5n';
const LAST_ANSWER = '\x1b[0n';

/**
 * Returns the text that a terminal sends to a program that writes this.
 * @param written as printf(1) reads it
 */
export async function askTerminal(
  desktop: XDesktop,
  written: string,
  options: Pick<TerminalOptions, 'args' | 'environment'> = {},
): Promise<string> {
  const file = desktop.newFile();
  const script = `stty raw -echo; printf '${written}${LAST_QUESTION}'; exec cat > ${file}`;
  await using terminal = await startTermprog(desktop, { ...options, script });
  await waitFor('the last question is answered', () => contentOf(file).includes(LAST_ANSWER), {
    process: terminal.process,
  });
  const answers = contentOf(file);
  return answers.slice(0, answers.lastIndexOf(LAST_ANSWER));
}
