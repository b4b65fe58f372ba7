import type { XConnection } from '../../x11/x-connection.ts';
import { ICON } from './icon-data.ts';

/**
 * The pictures in the format of `_NET_WM_ICON`: width, height, and the pixels as 0xaarrggbb, one picture after the
 * other; EWMH.
 */
export function iconPictures(): Buffer {
  return process.getBuiltinModule('node:zlib').inflateRawSync(Buffer.from(ICON, 'base64'));
}

/** Predefined atom; X11 protocol, appendix B. */
const CARDINAL = 6;

/**
 * Sets the window's icon. Call it after the first frame, because the icon is not urgent.
 * @param isGone whether the window was destroyed meanwhile
 */
export async function showIcon(connection: XConnection, window: number, isGone: () => boolean): Promise<void> {
  const property = await connection.internAtom('_NET_WM_ICON');
  if (!connection.isOpen || isGone()) return;
  connection.client.ChangeProperty(0, window, property, CARDINAL, 32, iconPictures());
  connection.flush();
}
