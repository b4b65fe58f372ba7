import { listShownWindows } from '../../../stack/screenshot.ts';
import { waitFor } from '../../../stack/wait-for.ts';
import type { PlayedTerminal } from './played-terminal.ts';

/** Share of dark pixels above which a window counts as dark. */
const DARK = 0.5;

/** The VT Options menu turns the window dark, and light again. */
export async function menuEntryChosen(terminal: PlayedTerminal): Promise<void> {
  await chooseReverseVideo(terminal);
  await waitFor('the window is dark', async () => (await terminal.darkness()) > DARK);
  await chooseReverseVideo(terminal);
  await waitFor('the window is light again', async () => (await terminal.darkness()) < DARK);
}

/** Holds Control and the second button for the menu, and goes to the entry by keys: past the first one, Enable Scrollbar. */
async function chooseReverseVideo(terminal: PlayedTerminal): Promise<void> {
  const before = await listShownWindows(terminal.address);
  await terminal.pointAt(1, 1);
  await terminal.do('keydown', 'ctrl', 'mousedown', '2', 'keyup', 'ctrl');
  try {
    await waitFor('the menu is shown', async () =>
      (await listShownWindows(terminal.address)).some((window) => !before.includes(window)),
    );
    await terminal.press('Home', 'Down', 'Return');
  } finally {
    await terminal.do('mouseup', '2');
  }
}
