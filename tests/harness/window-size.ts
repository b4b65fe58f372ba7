import { waitFor } from '../../scripts/stack/wait-for.ts';
import type { StartedTerminal, XDesktop } from './start-termprog.ts';

type Window = Pick<StartedTerminal, 'window'>;

/** Width and height of a window in pixels, as `484x316`. */
export async function sizeOf(desktop: XDesktop, { window }: Window): Promise<string> {
  const text = await desktop.run('xdotool', 'getwindowgeometry', '--shell', `${window}`);
  return `${/^WIDTH=(\d+)$/m.exec(text)?.[1]}x${/^HEIGHT=(\d+)$/m.exec(text)?.[1]}`;
}

/** Presses a key, and gives the size that the window has then, which is another one. */
export async function sizeAfter(desktop: XDesktop, terminal: Window, key: string): Promise<string> {
  const before = await sizeOf(desktop, terminal);
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await desktop.run('xdotool', 'key', '--clearmodifiers', key);
  return waitFor(`${key} changes the size ${before}`, async () => {
    const size = await sizeOf(desktop, terminal);
    return size === before ? undefined : size;
  });
}
