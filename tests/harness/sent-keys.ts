import type { StartedTerminal, XDesktop } from './start-termprog.ts';
import { openTestConnection } from './test-connection.ts';

/** Kinds of events; X11 protocol. */
export const KEY_PRESS = 2;
export const KEY_RELEASE = 3;

/** The key of every usual keyboard, by its keycode. */
export const RETURN = 36;

/** Sends events of a key to a window: presses without releases between, as they come while a keyboard repeats a key. */
export async function sendKeyEvents(
  desktop: Pick<XDesktop, 'environment'>,
  { window }: Pick<StartedTerminal, 'window'>,
  types: readonly number[],
  keycode: number,
): Promise<void> {
  await using connection = await openTestConnection(desktop);
  const { client } = connection.x;
  for (const type of types) {
    const event = Buffer.alloc(32);
    event.set([type, keycode]);
    event.writeUInt32LE(window, 12);
    client.SendEvent(window, 0, 0, event);
  }
  // The answer says that the server has sent them.
  await connection.x.internAtom('PRIMARY');
}
