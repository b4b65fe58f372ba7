import { mkdir } from 'node:fs/promises';
import { connectX, type XServerAddress } from '../stack/x-client.ts';
import { startXvfb } from '../stack/xvfb.ts';
import type { OpenParts } from './open-parts.ts';

/** The X display the terminal window opens on. */
export interface Screen {
  /** Environment of clients of that display. */
  address: XServerAddress;
  description: string;
}

/**
 * The person's own display when there is one, else a private Xvfb.
 * @throws Error saying what to do when the display does not answer
 */
export async function openScreen(display: string | undefined, folder: string, parts: OpenParts): Promise<Screen> {
  if (display === undefined || display === '') {
    await mkdir(folder, { recursive: true });
    const xvfb = await startXvfb({ folder });
    parts.add(() => xvfb.process.stop());
    return {
      address: xvfb.environment,
      description: `on the private X server ${xvfb.display} (DISPLAY is not set here)`,
    };
  }
  const address = { DISPLAY: display };
  try {
    (await connectX(address)).client.terminate();
  } catch (error) {
    throw new Error(
      `DISPLAY is "${display}" and no X server answers there: correct it, or unset it for a private one`,
      { cause: error },
    );
  }
  return { address, description: `a window on your display ${display}` };
}
