import { unknownEntries } from './name-list.ts';
import type { PermissionSettings } from './permits.ts';

/** Lists of refused operations, and their valid names. @spec termprog#terminal-widget-resources-termvt100 */
const NAMES = {
  disallowedWindowOps: [
    ...['GetSelection', 'SetSelection', 'GetIconTitle', 'GetWinTitle', 'GetChecksum', 'PushTitle', 'PopTitle'],
    ...['GetWinSizePixels', 'GetWinSizeChars', 'GetScreenSizeChars', 'SetXprop'],
  ],
  disallowedColorOps: ['SetColor', 'GetColor', 'GetAnsiColor'],
  disallowedTcapOps: ['SetTcap', 'GetTcap'],
} as const;

/**
 * Names of the reference terminal for operations that this one never performs, which users' lists contain. xterm(1),
 * disallowedWindowOps
 */
const WINDOW_NAMES_ELSEWHERE = [
  ...['RestoreWin', 'MinimizeWin', 'MaximizeWin', 'FullscreenWin', 'RaiseWin', 'LowerWin', 'RefreshWin'],
  ...['SetWinPosition', 'SetWinSizePixels', 'SetWinSizeChars', 'SetWinLines', 'SetChecksum'],
  ...['GetWinState', 'GetWinPosition'],
];

/** Returns a line for each list with entries that are not names of operations, and therefore have no effect. */
export function unknownNames(settings: PermissionSettings): string[] {
  return (Object.keys(NAMES) as (keyof typeof NAMES)[]).flatMap((list) => {
    const elsewhere = list === 'disallowedWindowOps' ? WINDOW_NAMES_ELSEWHERE : [];
    const unknown = unknownEntries(settings.get(list), [...NAMES[list], ...elsewhere]);
    if (unknown.length === 0) return [];
    const what = unknown.length === 1 ? 'is not the name of an operation' : 'are not names of operations';
    const quoted = unknown.map((entry) => `"${entry}"`).join(', ');
    return [`resource vt100.${list}: ${quoted} ${what}; expected ${NAMES[list].join(', ')}`];
  });
}
