import type { Display } from 'x11';
import { type ManagedProcess, startProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { answer, connectX, type XServerAddress } from '../../scripts/stack/x-client.ts';
import type { XDesktop } from './start-termprog.ts';

/** Starts openbox, and waits until it manages windows. */
export async function startWindowManager(desktop: XDesktop): Promise<ManagedProcess & AsyncDisposable> {
  const manager = startProcess({
    name: 'openbox',
    command: ['openbox'],
    env: { ...desktop.environment, HOME: desktop.folder },
  });
  await untilWindowsAreFramed(desktop.environment, manager);
  return { ...manager, [Symbol.asyncDispose]: () => manager.stop() };
}

/**
 * Shows windows until one has a frame, and then until another has. A window that is mapped while openbox starts may get
 * its frame only when something else happens on the screen; the second shows that openbox serves its queue now.
 * `_NET_SUPPORTING_WM_CHECK` shows nothing: it is there early, and a manager that ends leaves it behind.
 */
async function untilWindowsAreFramed(server: XServerAddress, manager: ManagedProcess): Promise<void> {
  const display = await connectX(server);
  try {
    for (const which of ['a window', 'another window']) {
      const windows: number[] = [];
      const attempt = async (): Promise<boolean> => {
        windows.push(mapWindow(display));
        return (await Promise.all(windows.map((window) => isFramed(display, window)))).includes(true);
      };
      await waitFor(`the window manager frames ${which}`, attempt, { process: manager });
    }
  } finally {
    display.client.terminate();
  }
}

/** Creates a window and shows it. */
export function mapWindow({ client, screen }: Display): number {
  const window = client.AllocID();
  client.CreateWindow(window, screen[0]?.root ?? 0, 0, 0, 20, 20, 0, 0, 0, 0, {});
  client.MapWindow(window);
  return window;
}

/** Whether a window manager has put a window into a frame. */
export async function isFramed({ client, screen }: Display, window: number): Promise<boolean> {
  const { parent } = await answer<{ parent: number }>('the parent of a window', (reply) =>
    client.QueryTree(window, reply),
  );
  return parent !== screen[0]?.root;
}

const CLIENT_MESSAGE = 33;

/** SubstructureNotify and SubstructureRedirect: what a window manager selects on the root window. */
const TO_MANAGER = 0x18_0000;

/** Asks the window manager for something about a window, as a taskbar does; EWMH. Atoms in the data have names. */
export async function askManager(
  server: XServerAddress,
  window: number,
  type: string,
  data: readonly (number | string)[],
): Promise<void> {
  const { client, screen } = await connectX(server);
  const atom = (name: string): Promise<number> => answer(name, (reply) => client.InternAtom(false, name, reply));
  const message = Buffer.alloc(32);
  message.writeUInt8(CLIENT_MESSAGE, 0);
  message.writeUInt8(32, 1);
  message.writeUInt32LE(window, 4);
  message.writeUInt32LE(await atom(type), 8);
  for (const [index, value] of data.entries()) {
    message.writeUInt32LE(typeof value === 'string' ? await atom(value) : value, 12 + 4 * index);
  }
  client.SendEvent(screen[0]?.root ?? 0, 0, TO_MANAGER, message);
  await answer('the focus', (reply) => client.GetInputFocus(reply));
  client.terminate();
}
