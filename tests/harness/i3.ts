import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import type { XDesktop } from './start-termprog.ts';

/** A window manager that tiles windows, and what it says of itself. */
export interface TilingManager extends AsyncDisposable {
  /** Runs a command of i3. */
  command(text: string): Promise<void>;
  /** Numbers of the workspaces that are marked as urgent. */
  urgentWorkspaces(): Promise<number[]>;
}

/** The window that has the focus gets it by commands alone, and no bar takes a part of the screen. */
const CONFIGURATION =
  'font pango:monospace 8\nfocus_follows_mouse no\nmouse_warping none\nfocus_on_window_activation none\n';

/** Starts i3, and waits until it manages windows. */
export async function startTilingManager(desktop: XDesktop): Promise<TilingManager> {
  const file = join(desktop.folder, 'i3-configuration');
  const socket = join(desktop.folder, 'i3-socket');
  writeFileSync(file, `${CONFIGURATION}ipc-socket ${socket}\n`);
  const manager = startProcess({
    name: 'i3',
    command: ['i3', '-c', file],
    env: { ...desktop.environment, HOME: desktop.folder, XDG_RUNTIME_DIR: desktop.folder },
  });
  const ask = (...args: string[]): Promise<string> => desktop.run('i3-msg', '-s', socket, ...args);
  await waitFor('the window manager answers', () => ask('-t', 'get_workspaces').catch(() => undefined), {
    process: manager,
  });
  return {
    command: async (text) => void (await ask(text)),
    urgentWorkspaces: async () => {
      const workspaces = JSON.parse(await ask('-t', 'get_workspaces')) as { num: number; urgent: boolean }[];
      return workspaces.filter(({ urgent }) => urgent).map(({ num }) => num);
    },
    [Symbol.asyncDispose]: () => manager.stop(),
  };
}
