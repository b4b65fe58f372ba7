import { rm } from 'node:fs/promises';
import type { PlayedTerminal } from './played-terminal.ts';

/** Two clicks select a word of the output; the middle button pastes it into a command, whose shell writes it to a file. */
export async function selectionPasted(terminal: PlayedTerminal): Promise<void> {
  const file = terminal.newFile();
  // The sum is the shell's, so the text searched for is not the text typed.
  await terminal.type('clear; echo copied$((20+22))\n');
  await terminal.shows('copied42', 'termprog-selection.png');
  await terminal.pointAt(0, 2);
  await terminal.do('click', '--repeat', '2', '--delay', '60', '1');
  await terminal.type('printf %s ');
  await terminal.do('click', '2');
  await terminal.type(` > ${file}\n`);
  await terminal.wrote(file, 'copied42');
  await rm(file);
}
