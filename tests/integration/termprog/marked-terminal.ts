import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { contentOf, type StartedTerminal, startTermprog, type XDesktop } from '../../harness/start-termprog.ts';

/** Marks of OSC 133, as `printf %b` prints them. */
export const mark = (letter: string): string => `\\033]133;${letter}\\a`;
export const prompt = `${mark('A')}$ ${mark('B')}`;

/** Returns the output of a shell that ran a command and waits with an empty line typed. */
export const session = (output: string): string =>
  `${prompt}make\\r\\n${mark('C')}${output}${mark('D;0')}${prompt}\\r\\n${mark('D')}${prompt}`;

/** Starts a terminal whose window shows a text, and which pipes output to a shell command. */
export async function startMarked(
  desktop: XDesktop,
  text: string,
  command: string,
  args: string[] = [],
): Promise<StartedTerminal> {
  const file = desktop.newFile();
  const terminal = await startTermprog(desktop, {
    args: ['-xrm', `*pipeCommandOutput: ${command}`, ...args],
    script: `stty raw -echo; printf '%b\\033[6n' '${text}'; dd bs=1 count=5 of=${file} 2>/dev/null; cat > /dev/null`,
  });
  await waitFor('the text shows', () => contentOf(file).length >= 5, { process: terminal.process });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  return terminal;
}
