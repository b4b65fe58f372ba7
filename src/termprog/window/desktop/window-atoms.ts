import type { XConnection } from '../../x11/x-connection.ts';

/** Names of the atoms of a top-level window's properties. */
const NAMES = {
  wmProtocols: 'WM_PROTOCOLS',
  wmDeleteWindow: 'WM_DELETE_WINDOW',
  netWmPing: '_NET_WM_PING',
  netWmPid: '_NET_WM_PID',
  netWmName: '_NET_WM_NAME',
  netWmIconName: '_NET_WM_ICON_NAME',
  utf8String: 'UTF8_STRING',
  wmName: 'WM_NAME',
  wmIconName: 'WM_ICON_NAME',
  wmClass: 'WM_CLASS',
  wmClientMachine: 'WM_CLIENT_MACHINE',
  wmClientLeader: 'WM_CLIENT_LEADER',
  wmLocaleName: 'WM_LOCALE_NAME',
  wmNormalHints: 'WM_NORMAL_HINTS',
  wmSizeHints: 'WM_SIZE_HINTS',
  wmHints: 'WM_HINTS',
  netWmState: '_NET_WM_STATE',
  demandsAttention: '_NET_WM_STATE_DEMANDS_ATTENTION',
  string: 'STRING',
  cardinal: 'CARDINAL',
  atom: 'ATOM',
  window: 'WINDOW',
} as const;

export type WindowAtoms = Record<keyof typeof NAMES, number>;

/** Interns the atoms of a top-level window's properties in one round trip. */
export async function internWindowAtoms(connection: XConnection): Promise<WindowAtoms> {
  const entries = Object.entries(NAMES).map(async ([key, name]) => [key, await connection.internAtom(name)] as const);
  return Object.fromEntries(await Promise.all(entries)) as WindowAtoms;
}
