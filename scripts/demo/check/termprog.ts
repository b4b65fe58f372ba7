import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { listTitledWindows, screenshotWindow } from '../../stack/screenshot.ts';
import { waitFor } from '../../stack/wait-for.ts';
import type { Stack } from '../stack.ts';
import { showsText } from './find-text.ts';
import type { Step } from './steps.ts';
import { menuEntryChosen } from './terminal/menu-entry.ts';
import { linkOpened } from './terminal/opened-link.ts';
import { PlayedTerminal } from './terminal/played-terminal.ts';
import { searchFound } from './terminal/search-found.ts';
import { selectionPasted } from './terminal/selection-pasted.ts';

const TYPING_DEADLINE_MS = 10_000;
const TEXT_DEADLINE_MS = 15_000;

/** Types a command into the window as its person would and looks for its result on the screen. */
export function termprogSteps({ termprog }: Stack, { screenshots }: { screenshots: string }): Step[] {
  const { address } = termprog.screen;
  const title = 'Homeport';
  let window = 0;
  const terminal = new PlayedTerminal({ address, window: () => window, folder: screenshots });
  return [
    {
      program: 'termprog',
      proves: 'a terminal window is open on the X server',
      run: async () => {
        window = await waitFor(
          `a window with the title ${title}`,
          async () => (await listTitledWindows(address)).find((candidate) => candidate.title === title)?.id,
        );
      },
    },
    {
      program: 'termprog',
      proves: 'a command typed into it runs, and its output stands on the screenshot',
      run: async () => {
        // The sum is the shell's, so the text searched for is not the text typed.
        await execa('xdotool', ['type', '--window', String(window), '--delay', '5', 'echo homeport-$((20+22))\n'], {
          env: { ...address },
          timeout: TYPING_DEADLINE_MS,
        });
        const file = join(screenshots, 'termprog.png');
        await waitFor(
          'homeport-42 stands on the screenshot',
          async () => {
            const picture = await screenshotWindow(address, window);
            await writeFile(file, picture);
            return showsText(address, picture, 'homeport-42');
          },
          { timeoutMs: TEXT_DEADLINE_MS },
        );
      },
    },
    {
      program: 'termprog',
      proves: 'a word that two clicks select is pasted into a command by the middle button',
      run: () => selectionPasted(terminal),
    },
    {
      program: 'termprog',
      proves: 'an entry of the VT Options menu turns the window dark, and light again',
      run: () => menuEntryChosen(terminal),
    },
    {
      program: 'termprog',
      proves: 'the search finds a text that left the screen, and copies it',
      run: () => searchFound(terminal),
    },
    {
      program: 'termprog',
      proves: 'a link on the screen is opened by the desktop',
      run: () => linkOpened(address, screenshots),
    },
  ];
}
