import type { XConnection } from './x-connection.ts';

/** Special destinations of SendEvent: 0, and the window with the focus or below the pointer; X11 protocol. */
const LAST_SPECIAL = 1;

/**
 * Whether a window id from another program belongs to a client's window, and neither to ours nor to a root window, for
 * which this program has its own handlers.
 */
export function isForeignWindow({ client: { display } }: XConnection, window: number): boolean {
  const { resource_base: base, resource_mask: mask } = display;
  const isOurs = (window & ~mask) >>> 0 === base >>> 0;
  return window > LAST_SPECIAL && !isOurs && display.screen.every(({ root }) => root !== window);
}
