import x11 from 'x11';
import type { XConnection } from '../x11/x-connection.ts';

const { eventMask } = x11;

/** The pointer events that a menu needs. */
export const POINTER_EVENTS = ['ButtonPress', 'ButtonRelease', 'EnterWindow', 'LeaveWindow', 'PointerMotion'].reduce(
  (mask, name) => mask | (eventMask[name] ?? 0),
  0,
);

/** Values of GrabPointer; X11 protocol. */
const ASYNCHRONOUS = 1;
const SUCCESS = 0;
const NO_WINDOW = 0;
const CURRENT_TIME = 0;

export interface GrabOptions {
  window: number;
  /** Cursor during the grab. */
  cursor: number;
  /** Server time of the event that causes the grab. */
  time: number;
}

/**
 * Grabs the pointer and the keyboard for a window, with all events of both.
 * @returns whether both were grabbed; both are released when another program has one of them
 * @throws RequestRefusedError when the server refuses one of them; both are released then, too
 */
export async function grabBoth(connection: XConnection, { window, cursor, time }: GrabOptions): Promise<boolean> {
  const [pointer, keyboard] = await Promise.all([
    connection.ask<number>('the pointer', (client, reply) =>
      client.GrabPointer(window, 0, POINTER_EVENTS, ASYNCHRONOUS, ASYNCHRONOUS, NO_WINDOW, cursor, time, reply),
    ),
    connection.ask<number>('the keyboard', (client, reply) =>
      client.GrabKeyboard(window, 0, time, ASYNCHRONOUS, ASYNCHRONOUS, reply),
    ),
  ]).catch((error: unknown) => {
    // The other one may have been grabbed.
    releaseBoth(connection);
    throw error;
  });
  if (pointer === SUCCESS && keyboard === SUCCESS) return true;
  if (pointer === SUCCESS) connection.client.UngrabPointer(CURRENT_TIME);
  if (keyboard === SUCCESS) connection.client.UngrabKeyboard(CURRENT_TIME);
  connection.flush();
  return false;
}

export function releaseBoth(connection: XConnection): void {
  if (!connection.isOpen) return;
  connection.client.UngrabPointer(CURRENT_TIME);
  connection.client.UngrabKeyboard(CURRENT_TIME);
  connection.flush();
}
