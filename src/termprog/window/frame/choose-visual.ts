import type { Diagnostics } from '../../diagnostics.ts';
import { DisplayUnavailableError, RequestRefusedError } from '../../errors.ts';
import type { OptionPort } from '../../ports/states.ts';
import { createArgbVisual, usualVisual, type WindowVisual } from '../../x11/window-visual.ts';
import type { XConnection } from '../../x11/x-connection.ts';

/** Opacity of the default background, from 0 to 1. */
export function opacityOf(options: OptionPort): number {
  const opacity = options.get('backgroundOpacity');
  return opacity === 'disabled' ? 1 : opacity;
}

/**
 * Chooses a visual with alpha if a compositor runs, even for an opaque window, because its opacity may change later;
 * otherwise the default visual. Logs the reason when a translucent window must be opaque.
 * @spec termprog#terminal-widget-resources-termvt100
 */
export async function chooseVisual(
  connection: XConnection,
  options: OptionPort,
  diagnostics: Diagnostics,
): Promise<WindowVisual> {
  const usual = usualVisual(connection);
  if (usual === undefined) throw new DisplayUnavailableError('the screen has no visual with colours of its own');
  if (options.get('backgroundOpacity') === 'disabled') return usual;
  // If the server refuses the query, the window is opaque.
  const isComposited = await hasCompositor(connection).catch(unlessRefused);
  const visual = isComposited ? createArgbVisual(connection) : undefined;
  if (visual === undefined && opacityOf(options) < 1) {
    const missing = isComposited ? 'the X server has no visual with an alpha channel' : 'no compositor is running';
    diagnostics.warning(`resource vt100.backgroundOpacity: ${missing}; the window is opaque`);
  }
  return visual ?? usual;
}

/** Whether a compositor runs: it owns the selection _NET_WM_CM_Sn; EWMH. */
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
