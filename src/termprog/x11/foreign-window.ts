import type { XConnection } from './connection.ts';

/** Destinations of SendEvent that are not windows: none, the one below the pointer, and the one with the focus; X11 protocol. */
const LAST_SPECIAL = 1;

/** Whether a window that another program names is a program's, and neither ours nor a root window, for which we have handlers of our own. */
export function isForeignWindow({ client: { display } }: XConnection, window: number): boolean {
  const { resource_base: base, resource_mask: mask } = display;
  const isOurs = (window & ~mask) >>> 0 === base >>> 0;
  return window > LAST_SPECIAL && !isOurs && display.screen.every(({ root }) => root !== window);
}
