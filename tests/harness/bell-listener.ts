import { waitFor } from '../../scripts/stack/wait-for.ts';
import { queryExtension } from '../../src/termprog/x11/query-extension.ts';
import type { XDesktop } from './start-termprog.ts';
import { openTestConnection } from './test-connection.ts';

/**
 * The X Keyboard Extension, XkbUseExtension and XkbSelectEvents: the server reports bells only to clients that selected
 * them.
 */
const USE_EXTENSION = 0;
const SELECT_EVENTS = 1;
const VERSION = 1;
const CORE_KEYBOARD = 0x100;
const BELL_NOTIFY = 1 << 8;

/** Hears the bell of an X server. */
export interface BellListener extends AsyncDisposable {
  /**
   * Waits until it has rung.
   * @param attempt what rings it, tried again: a bell that rang a moment ago stays silent
   */
  rings(attempt?: () => Promise<unknown>): Promise<void>;
}

export async function listenForBell(desktop: Pick<XDesktop, 'environment'>): Promise<BellListener> {
  const connection = await openTestConnection(desktop);
  const { x } = connection;
  const extension = await queryExtension(x, 'XKEYBOARD');
  if (extension === undefined) throw new Error('the X server has no keyboard extension');
  let count = 0;
  x.client.eventParsers[extension.firstEvent] = (type) => ({ type, wid: 0, name: 'XkbEvent' });
  x.listen({
    onEvent: ({ name }) => {
      if (name === 'XkbEvent') count += 1;
    },
    onError: () => {},
    onEnd: () => {},
  });
  const use = new Uint16Array([extension.majorOpcode | (USE_EXTENSION << 8), 2, VERSION, 0]);
  await x.askBytes('the keyboard extension', new Uint8Array(use.buffer));
  const select = new Uint16Array([
    extension.majorOpcode | (SELECT_EVENTS << 8),
    4,
    CORE_KEYBOARD,
    BELL_NOTIFY,
    0,
    BELL_NOTIFY,
    0,
    0,
  ]);
  x.sendRequests(new Uint8Array(select.buffer), 1);
  await x.internAtom('listening');
  return {
    rings: async (attempt) =>
      void (await waitFor('the bell rings', async () => {
        await attempt?.();
        return count > 0;
      })),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}
