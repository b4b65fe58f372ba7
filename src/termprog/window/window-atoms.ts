import type { XConnection } from '../x11/connection.ts';

export type WindowAtoms = Awaited<ReturnType<typeof internWindowAtoms>>;

/** The atoms of a top-level window's properties, asked for in one round trip. */
export async function internWindowAtoms(connection: XConnection) {
  const intern = (name: string): Promise<number> => connection.internAtom(name);
  const [
    wmProtocols,
    wmDeleteWindow,
    netWmPing,
    netWmPid,
    netWmName,
    netWmIconName,
    utf8String,
    wmName,
    wmIconName,
    wmClass,
    wmClientMachine,
    wmNormalHints,
    wmSizeHints,
    wmHints,
    string,
    cardinal,
    atom,
  ] = await Promise.all([
    intern('WM_PROTOCOLS'),
    intern('WM_DELETE_WINDOW'),
    intern('_NET_WM_PING'),
    intern('_NET_WM_PID'),
    intern('_NET_WM_NAME'),
    intern('_NET_WM_ICON_NAME'),
    intern('UTF8_STRING'),
    intern('WM_NAME'),
    intern('WM_ICON_NAME'),
    intern('WM_CLASS'),
    intern('WM_CLIENT_MACHINE'),
    intern('WM_NORMAL_HINTS'),
    intern('WM_SIZE_HINTS'),
    intern('WM_HINTS'),
    intern('STRING'),
    intern('CARDINAL'),
    intern('ATOM'),
  ]);
  return {
    wmProtocols,
    wmDeleteWindow,
    netWmPing,
    netWmPid,
    netWmName,
    netWmIconName,
    utf8String,
    wmName,
    wmIconName,
    wmClass,
    wmClientMachine,
    wmNormalHints,
    wmSizeHints,
    wmHints,
    string,
    cardinal,
    atom,
  };
}
