import type { XConnection } from '../x11/connection.ts';
import { ICON } from './icon-data.ts';

/** The pictures as `_NET_WM_ICON` has them: width, height, and the pixels as 0xaarrggbb, one after the other; EWMH. */
export function iconPictures(): Buffer {
  return process.getBuiltinModule('node:zlib').inflateRawSync(Buffer.from(ICON, 'base64'));
}

/** Predefined atom; X11 protocol, appendix B. */
const CARDINAL = 6;

/**
 * Gives a window its icon. It is not needed before there is something to see.
 * @param isGone whether the window was destroyed meanwhile
 */
export async function showIcon(connection: XConnection, window: number, isGone: () => boolean): Promise<void> {
  const property = await connection.internAtom('_NET_WM_ICON');
  if (!connection.isOpen || isGone()) return;
  connection.client.ChangeProperty(0, window, property, CARDINAL, 32, iconPictures());
  connection.flush();
}
