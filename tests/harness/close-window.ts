import { answer, connectX } from '../../scripts/stack/x-client.ts';
import type { XDesktop } from './start-termprog.ts';

/** Number of the ClientMessage event; X11 protocol. */
const CLIENT_MESSAGE = 33;

/** Does what a window manager does when the user closes a window; ICCCM 4.2.8. */
export async function closeAsUser({ environment }: Pick<XDesktop, 'environment'>, window: number): Promise<void> {
  const { client } = await connectX(environment);
  const atom = (name: string): Promise<number> =>
    answer(`the atom ${name}`, (reply) => client.InternAtom(false, name, reply));
  const message = Buffer.alloc(32);
  message.writeUInt8(CLIENT_MESSAGE, 0);
  message.writeUInt8(32, 1);
  message.writeUInt32LE(window, 4);
  message.writeUInt32LE(await atom('WM_PROTOCOLS'), 8);
  message.writeUInt32LE(await atom('WM_DELETE_WINDOW'), 12);
  client.SendEvent(window, 0, 0, message);
  // An answer comes after everything before it was done.
  await answer('the focus', (reply) => client.GetInputFocus(reply));
  client.terminate();
}
