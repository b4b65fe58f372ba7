import { expect, test } from 'vitest';
import type { Operation } from '../../../../src/termprog/engine/engine-host.ts';
import { permits } from '../../../../src/termprog/permissions/permits.ts';
import { optionsWith } from '../options/options-with.ts';

const TITLES = ['SetTitle'] as const;
const REFUSED_WINDOW_OPS = ['GetSelection', 'SetSelection', 'GetIconTitle', 'GetWinTitle', 'GetChecksum'] as const;
const OTHER_WINDOW_OPS = [
  'PushTitle',
  'PopTitle',
  'GetWinSizePixels',
  'GetWinSizeChars',
  'GetScreenSizeChars',
] as const;
const COLORS = ['SetColor', 'GetColor', 'GetAnsiColor'] as const;
const TCAP = ['GetTcap'] as const;
const MOUSE = ['MouseReport'] as const;
const NOTIFICATIONS = ['Notify'] as const;

const WINDOWS = [...REFUSED_WINDOW_OPS, ...OTHER_WINDOW_OPS];
const ALL: readonly Operation[] = [...TITLES, ...WINDOWS, ...COLORS, ...TCAP, ...MOUSE, ...NOTIFICATIONS];
const BY_DEFAULT = [...TITLES, ...OTHER_WINDOW_OPS, ...COLORS, ...TCAP, ...MOUSE];

const without = (from: readonly Operation[], ...gone: readonly Operation[]): Operation[] =>
  from.filter((operation) => !gone.includes(operation));

/** Settings, as resource files write them, and all operations that they permit. */
const matrix: readonly (readonly [settings: Record<string, string>, permitted: readonly Operation[]])[] = [
  [{}, BY_DEFAULT],

  // Titles: only allowTitleOps decides, and with synthetic events they are never permitted.
  [{ allowTitleOps: 'false' }, without(BY_DEFAULT, ...TITLES)],
  [{ allowSendEvents: 'true' }, [...OTHER_WINDOW_OPS, ...TCAP, ...MOUSE]],
  [{ allowSendEvents: 'true', allowTitleOps: 'true', disallowedWindowOps: '' }, [...WINDOWS, ...TCAP, ...MOUSE]],

  // Window operations.
  [{ allowWindowOps: 'true' }, [...BY_DEFAULT, ...REFUSED_WINDOW_OPS]],
  [{ allowWindowOps: 'true', disallowedWindowOps: '*' }, [...BY_DEFAULT, ...REFUSED_WINDOW_OPS]],
  [{ allowWindowOps: 'true', allowSendEvents: 'true' }, [...OTHER_WINDOW_OPS, ...TCAP, ...MOUSE]],
  [{ allowWindowOps: 'true', allowSendEvents: 'true', disallowedWindowOps: '*' }, [...TCAP, ...MOUSE]],
  [{ disallowedWindowOps: '' }, [...BY_DEFAULT, ...REFUSED_WINDOW_OPS]],
  [{ disallowedWindowOps: '*' }, without(BY_DEFAULT, ...WINDOWS)],
  [
    { disallowedWindowOps: 'get*' },
    [...without(BY_DEFAULT, 'GetWinSizePixels', 'GetWinSizeChars', 'GetScreenSizeChars'), 'SetSelection'],
  ],
  [{ disallowedWindowOps: '*,~GETSELECTION' }, [...without(BY_DEFAULT, ...WINDOWS), 'GetSelection']],
  [
    { disallowedWindowOps: '?etSelection' },
    [...without(BY_DEFAULT), ...without(REFUSED_WINDOW_OPS, 'GetSelection', 'SetSelection')],
  ],
  [
    { disallowedWindowOps: '*,~*Title' },
    [...without(BY_DEFAULT, ...WINDOWS), 'GetIconTitle', 'GetWinTitle', 'PushTitle', 'PopTitle'],
  ],
  ...(
    [
      [14, 'GetWinSizePixels'],
      [18, 'GetWinSizeChars'],
      [19, 'GetScreenSizeChars'],
      [20, 'GetIconTitle'],
      [21, 'GetWinTitle'],
      [22, 'PushTitle'],
      [23, 'PopTitle'],
    ] as const
  ).map(
    ([code, name]) =>
      [{ disallowedWindowOps: `${code}` }, without([...BY_DEFAULT, ...REFUSED_WINDOW_OPS], name)] as const,
  ),
  [{ disallowedWindowOps: '16' }, [...BY_DEFAULT, ...REFUSED_WINDOW_OPS]],
  [{ disallowedWindowOps: '11,13,52' }, [...BY_DEFAULT, ...REFUSED_WINDOW_OPS]],
  [{ disallowedWindowOps: 'SetColor,GetTcap,SetTitle' }, [...BY_DEFAULT, ...REFUSED_WINDOW_OPS]],

  // Colours.
  [{ allowColorOps: 'false' }, without(BY_DEFAULT, ...COLORS)],
  [{ allowColorOps: 'false', disallowedColorOps: '' }, BY_DEFAULT],
  [{ allowColorOps: 'false', disallowedColorOps: 'setcolor' }, without(BY_DEFAULT, 'SetColor')],
  [{ allowColorOps: 'false', disallowedColorOps: 'Get*' }, without(BY_DEFAULT, 'GetColor', 'GetAnsiColor')],
  [{ allowColorOps: 'false', disallowedColorOps: '*,~GetAnsiColor' }, without(BY_DEFAULT, 'SetColor', 'GetColor')],
  [{ allowColorOps: 'true', disallowedColorOps: '*' }, BY_DEFAULT],
  [
    { allowColorOps: 'true', allowSendEvents: 'true', disallowedColorOps: 'SetColor' },
    [...OTHER_WINDOW_OPS, 'GetColor', 'GetAnsiColor', ...TCAP, ...MOUSE],
  ],
  [
    { allowColorOps: 'true', allowSendEvents: 'true', disallowedColorOps: '' },
    [...OTHER_WINDOW_OPS, ...COLORS, ...TCAP, ...MOUSE],
  ],

  // Capabilities, mouse reports and notifications, which synthetic events do not touch.
  [{ allowTcapOps: 'false' }, without(BY_DEFAULT, ...TCAP)],
  [{ allowTcapOps: 'false', disallowedTcapOps: 'SetTcap' }, BY_DEFAULT],
  [{ allowTcapOps: 'false', disallowedTcapOps: 'SetTcap,~*,?etTcap' }, without(BY_DEFAULT, ...TCAP)],
  [{ allowTcapOps: 'true', disallowedTcapOps: '*' }, BY_DEFAULT],
  [{ allowMouseOps: 'false' }, without(BY_DEFAULT, ...MOUSE)],
  [{ allowMouseOps: 'false', allowSendEvents: 'true' }, [...OTHER_WINDOW_OPS, ...TCAP]],
  [{ allowNotifyOps: 'true' }, [...BY_DEFAULT, ...NOTIFICATIONS]],
  [{ allowNotifyOps: 'true', allowSendEvents: 'true' }, [...OTHER_WINDOW_OPS, ...TCAP, ...MOUSE, ...NOTIFICATIONS]],

  // Font operations exist in no form.
  [{ allowFontOps: 'false', disallowedFontOps: '*' }, BY_DEFAULT],
];

for (const [settings, permitted] of matrix) {
  const written = Object.entries(settings).map(([name, value]) => `${name}: ${value}`);
  test(`with ${written.join('; ') || 'the defaults'}, exactly what should be is permitted`, () => {
    const options = optionsWith(settings);
    expect(ALL.filter((operation) => permits(options, operation)).toSorted()).toEqual([...permitted].toSorted());
  });
}

test('a permission follows its resource at once', () => {
  const options = optionsWith({});
  options.set('allowTitleOps', false);
  expect(permits(options, 'SetTitle')).toBe(false);
});
