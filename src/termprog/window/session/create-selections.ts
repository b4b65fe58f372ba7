import type { Diagnostics } from '../../diagnostics.ts';
import { Selections } from '../../selection/selections.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import type { EventRouter } from '../desktop/event-router.ts';

/**
 * Creates the selections of a window's terminal.
 * @param deadlineMs longest wait for an owner's answer
 */
export function createSelections(
  connection: XConnection,
  router: EventRouter,
  deadlineMs: number,
  diagnostics: Diagnostics,
): Selections {
  return new Selections({
    connection,
    attach: (owner, handlers) => router.attach(owner, handlers),
    detach: (owner) => router.detach(owner),
    isAttached: (owner) => router.isAttached(owner),
    deadlineMs,
    warn: (message) => diagnostics.warning(message),
  });
}
