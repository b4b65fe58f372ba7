import type { Diagnostics } from '../diagnostics.ts';
import { DisplayUnavailableError, RequestRefusedError } from '../errors.ts';
import type { OptionPort } from '../ports/options.ts';
import type { XConnection } from '../x11/connection.ts';
import { createArgbVisual, usualVisual, type WindowVisual } from '../x11/window-visual.ts';

/** How opaque the default background is, from 0 to 1. */
export function opacityOf(options: OptionPort): number {
  const opacity = options.get('backgroundOpacity');
  return opacity === 'disabled' ? 1 : opacity;
}

/**
 * One with alpha where a compositor makes something of it, also for an opaque window: its opacity may change later. Else
 * the usual one; that the window is opaque for want of something is told. @spec termprog#terminal-widget-resources-termvt100
 */
export async function chooseVisual(
  connection: XConnection,
  options: OptionPort,
  diagnostics: Diagnostics,
): Promise<WindowVisual> {
  const usual = usualVisual(connection);
  if (usual === undefined) throw new DisplayUnavailableError('the screen has no visual with colours of its own');
  if (options.get('backgroundOpacity') === 'disabled') return usual;
  // A server that refuses to tell shows an opaque window as well as any other.
  const isComposited = await hasCompositor(connection).catch(unlessRefused);
  const visual = isComposited ? createArgbVisual(connection) : undefined;
  if (visual === undefined && opacityOf(options) < 1) {
    const missing = isComposited ? 'the X server has no visual with an alpha channel' : 'no compositor is running';
    diagnostics.warning(`resource vt100.backgroundOpacity: ${missing}; the window is opaque`);
  }
  return visual ?? usual;
}

/** A compositor owns a selection, by which others know of it; EWMH, _NET_WM_CM_Sn. */
async function hasCompositor(connection: XConnection): Promise<boolean> {
  const atom = await connection.internAtom(`_NET_WM_CM_S${connection.screenNumber}`, { onlyIfExists: true });
  if (atom === 0) return false;
  const owner = await connection.ask<number>('the compositor', (client, reply) =>
    client.GetSelectionOwner(atom, reply),
  );
  return owner !== 0;
}

function unlessRefused(error: unknown): false {
  if (error instanceof RequestRefusedError) return false;
  throw error;
}
