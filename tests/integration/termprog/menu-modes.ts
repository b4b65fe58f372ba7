import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { MenuName } from '../../../src/termprog/menus/menu-entry.ts';
import { isChecked, PLAIN_MENUS, postMenu } from '../../harness/shown-menu.ts';
import { type StartedTerminal, startTermprog, type XDesktop } from '../../harness/start-termprog.ts';
import { openTerminalSocket, type TerminalSocket } from '../../harness/terminal-socket.ts';

/** A terminal whose child is the test. */
export interface SpokenTerminal extends AsyncDisposable {
  readonly terminal: StartedTerminal;
  /** Writes to the terminal, and gives its answers up to that of the last question, which is asked here. */
  ask(output: string): Promise<string>;
}

/** Asks for the terminal's state, which every terminal answers. */
const LAST_QUESTION = '\x1b[5n';
const LAST_ANSWER = '\x1b[0n';

export async function startSpokenTerminal(
  desktop: XDesktop,
  { args = [], environment = {} }: { args?: readonly string[]; environment?: Record<string, string> } = {},
): Promise<SpokenTerminal> {
  const socket: TerminalSocket = await openTerminalSocket(desktop.folder);
  const [shell, option, script, ...words] = socket.command;
  const quoted = [shell, option, script, ...words].map((word) => `'${word}'`).join(' ');
  const terminal = await startTermprog(desktop, {
    args: [...PLAIN_MENUS, ...args],
    script: `exec ${quoted}`,
    environment,
  });
  return {
    terminal,
    ask: async (output) => {
      const answer = await socket.ask(`${output}${LAST_QUESTION}`, (text) => text.endsWith(LAST_ANSWER));
      return answer.slice(0, -LAST_ANSWER.length);
    },
    [Symbol.asyncDispose]: async () => {
      await terminal[Symbol.asyncDispose]();
      await socket[Symbol.asyncDispose]();
    },
  };
}

/** Returns the state of a mode by DECRPM: 1 is set, 2 is reset. */
async function stateOf({ ask }: SpokenTerminal, mode: string): Promise<string | undefined> {
  return /;(\d)\$y/.exec(await ask(`\x1b[${mode}$p`))?.[1];
}

/**
 * Chooses the entry of a mode: the application reads the new state, and the menu's check mark shows the state that the
 * application has set.
 * @param mode as DECRQM names it, such as `?7`
 */
export async function chosenMode(
  desktop: XDesktop,
  { menu: name, entry, mode }: { menu: MenuName; entry: string; mode: string },
): Promise<void> {
  await using spoken = await startSpokenTerminal(desktop);
  const { terminal } = spoken;
  const first = await stateOf(spoken, mode);
  expect(['1', '2']).toContain(first);
  const other = first === '1' ? '2' : '1';
  const menu = await postMenu(desktop, terminal, name);
  expect(isChecked(await menu.picture(), menu.topOf(entry))).toBe(first === '1');
  await menu.choose(entry);
  await waitFor('the mode is another', async () => (await stateOf(spoken, mode)) === other);

  await spoken.ask(`\x1b[${mode}${first === '1' ? 'h' : 'l'}`);
  const again = await postMenu(desktop, terminal, name);
  expect(isChecked(await again.picture(), again.topOf(entry))).toBe(first === '1');
  await again.choose(entry);
  await waitFor('the mode is another again', async () => (await stateOf(spoken, mode)) === other);
}
