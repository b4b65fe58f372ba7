import { rm } from 'node:fs/promises';
import type { PlayedTerminal } from './played-terminal.ts';

/** A text that left the screen is found again; Return copies it, and a paste brings it into a file. */
export async function searchFound(terminal: PlayedTerminal): Promise<void> {
  const file = terminal.newFile();
  await terminal.type('clear; echo needle$((20+22))x; seq 1 200; echo all-$((20+22))\n');
  await terminal.shows('all-42', 'termprog-search.png');
  await terminal.press('ctrl+shift+f');
  await terminal.type('needle42x');
  await terminal.press('Return');
  await terminal.type('printf %s ');
  await terminal.press('shift+Insert');
  await terminal.type(` > ${file}\n`);
  await terminal.wrote(file, 'needle42x');
  await rm(file);
}
