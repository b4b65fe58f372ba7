import type { WireEvent } from 'x11';
import type { XConnection } from '../../x11/x-connection.ts';
import type { EventHandlers } from './event-router.ts';
import type { WindowAtoms } from './window-atoms.ts';

/** SubstructureNotify and SubstructureRedirect: window managers select these events on the root window. */
const SUBSTRUCTURE_MASK = 0x18_0000;

/** Handles the messages that window managers send to a window; ICCCM 4.2.8 and EWMH _NET_WM_PING. */
export function protocolHandlers(connection: XConnection, atoms: WindowAtoms, onDelete: () => void): EventHandlers {
  return {
    ClientMessage: ({ message_type: type, data, rawData }: WireEvent) => {
      if (type !== atoms.wmProtocols) return;
      if (data[0] === atoms.wmDeleteWindow) onDelete();
      if (data[0] === atoms.netWmPing) answerPing(connection, rawData);
    },
  };
}

/** Sends the same message to the root window. */
function answerPing({ client, screen }: XConnection, message: Buffer): void {
  const answer = Buffer.from(message);
  answer.writeUInt32LE(screen.root, 4);
  client.SendEvent(screen.root, 0, SUBSTRUCTURE_MASK, answer);
}
