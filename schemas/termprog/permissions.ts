import { resource, resources } from './resource-table.ts';
import { boolean, choice, integer, text } from './resource-types.ts';

/** Window operations that are refused unless something allows them. @spec termprog#terminal-widget-resources-termvt100 */
const REFUSED_WINDOW_OPS = 'GetIconTitle,GetWinTitle,GetChecksum,SetSelection,GetSelection,SetXprop';

const LIST_RULES =
  'Names are separated by commas and compared without regard to case; `*` and `?` are wildcards and a leading `~` allows what it matches again.';

/** Permissions of applications in the terminal. @spec termprog#terminal-widget-resources-termvt100 */
export const permissionResources = [
  ...resources('vt100', {
    allowWindowOps: resource(boolean, {
      class: 'AllowWindowOps',
      default: 'false',
      live: true,
      doc: 'Permits window operations that `disallowedWindowOps` refuses, as long as `allowSendEvents` is false. It is asked for OSC 52 selection access, title reports, the title stack and the size reports CSI 14, 16 and 18 t. The Allow Window Ops menu entry changes it and is insensitive while `allowSendEvents` is true.',
    }),
    disallowedWindowOps: resource(text, {
      class: 'DisallowedWindowOps',
      default: REFUSED_WINDOW_OPS,
      doc: `Window operations refused unless \`allowWindowOps\` is true and \`allowSendEvents\` is false. ${LIST_RULES} Known names are GetSelection, SetSelection, GetIconTitle, GetWinTitle, PushTitle, PopTitle, GetWinSizePixels, GetWinSizeChars and GetScreenSizeChars (which gates CSI 16 t); the codes 14, 18, 19 and 20 to 23 stand for names as well.`,
    }),
    maxStringParse: resource(integer({ min: 0 }), {
      class: 'MaxStringParse',
      default: '600000',
      doc: 'Largest control string in bytes. It is enforced for selections written by OSC 52, where the base64 payload is measured.',
    }),
    allowTitleOps: resource(boolean, {
      class: 'AllowTitleOps',
      default: 'true',
      live: true,
      doc: 'Whether applications may change the title, and restore it by a pop of the title stack. While `allowSendEvents` is true no label changes, with either value here.',
    }),
    utf8Title: resource(choice('true', 'false', 'always', 'default'), {
      class: 'Utf8Title',
      default: 'default',
      live: true,
      doc: 'Whether `_NET_WM_NAME` and `_NET_WM_ICON_NAME` are written beside the older properties; `default` means true in a UTF-8 locale. `set-utf8-title()` and the UTF-8 Titles menu entry change it.',
    }),
    allowColorOps: resource(boolean, {
      class: 'AllowColorOps',
      default: 'true',
      live: true,
      doc: 'Permits OSC 10 to 19 set and query, OSC 110 to 119 reset, and OSC 4 and 5 queries, as long as `allowSendEvents` is false. Otherwise `disallowedColorOps` decides.',
    }),
    allowSendEvents: resource(boolean, {
      class: 'AllowSendEvents',
      default: 'false',
      doc: 'When true, title operations are blocked and the blanket permissions for colours and window operations do not count; the lists of refused operations alone decide. Synthetic key and button events are accepted either way. It is read at the start only.',
    }),
    disallowedColorOps: resource(text, {
      class: 'DisallowedColorOps',
      default: 'SetColor,GetColor,GetAnsiColor',
      doc: `Colour operations refused unless \`allowColorOps\` is true and \`allowSendEvents\` is false: SetColor (OSC 10 to 19 set, 110 to 119 reset), GetColor (OSC 10 to 19 query), GetAnsiColor (OSC 4 and 5 query). ${LIST_RULES} Ordinary palette writes by OSC 4 are never refused.`,
    }),
    allowMouseOps: resource(boolean, {
      class: 'AllowMouseOps',
      default: 'true',
      live: true,
      doc: 'Permits mouse and focus reports to applications. When false, local selection works again and the requested modes are kept. The locator of DEC terminals is not implemented.',
    }),
    allowTcapOps: resource(boolean, {
      class: 'AllowTcapOps',
      default: 'true',
      live: true,
      doc: 'Permits terminal-capability operations, also those that `disallowedTcapOps` names; XTGETTCAP replies are the only ones.',
    }),
    disallowedTcapOps: resource(text, {
      class: 'DisallowedTcapOps',
      default: 'SetTcap,GetTcap',
      doc: `Terminal-capability operations refused while \`allowTcapOps\` is false: GetTcap gates XTGETTCAP replies, SetTcap is reserved. ${LIST_RULES}`,
    }),
    allowNotifyOps: resource(boolean, {
      class: 'AllowNotifyOps',
      default: 'false',
      live: true,
      doc: 'Permits applications to show a notification on the desktop by OSC 9 and OSC 777. The reference terminal has no such resource.',
    }),
    allowFontOps: resource(boolean, {
      class: 'AllowFontOps',
      default: 'true',
      doc: 'Reserved for font changes by OSC 50. It has no effect.',
      acceptedOnly: 'font changes by OSC 50 are not part of this terminal',
    }),
    disallowedFontOps: resource(text, {
      class: 'DisallowedFontOps',
      default: 'SetFont,GetFont',
      doc: 'Reserved restrictions of OSC 50. It has no effect.',
      acceptedOnly: 'font changes by OSC 50 are not part of this terminal',
    }),
  }),
] as const;
