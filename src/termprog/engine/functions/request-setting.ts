import {
  BLINK,
  BOLD,
  COLOR_INDEXED,
  COLOR_KIND_MASK,
  COLOR_RGB,
  COLOR_VALUE_MASK,
  DIM,
  INVERSE,
  INVISIBLE,
  ITALIC,
  OVERLINE,
  PROTECTED,
  STRIKETHROUGH,
  UNDERLINE_MASK,
  UNDERLINE_SHIFT,
} from '../cell.ts';
import type { DeviceControlString } from '../control-function.ts';
import type { TerminalState } from '../terminal-state.ts';

/** The answer that the main screen is active, and that there is no status line; DECSASD and DECSSDT. */
const NO_STATUS_LINE = '0';

/** Settings by the control function that sets them. The answer to an unknown request does not repeat it. */
const SETTINGS: Readonly<Record<string, (state: TerminalState) => string | undefined>> = {
  m: (state) => `${['0', ...renditionOf(state)].join(';')}m`,
  r: ({ screen: { margins } }) => `${margins.top + 1};${margins.bottom + 1}r`,
  ' q': ({ cursorShape, modes }) => {
    const shape = { block: 2, underline: 4, bar: 6 }[cursorShape];
    return `${modes.get('cursorBlink') ? shape - 1 : shape} q`;
  },
  '"q': ({ screen }) => `${(screen.pen.protection & PROTECTED) === 0 ? 0 : 1}"q`,
  '"p': ({ level }) => (level === 1 ? '61"p' : `6${level};1"p`),
  s: ({ screen: { margins }, level }) => (level < 4 ? undefined : `${margins.left + 1};${margins.right + 1}s`),
  t: ({ screen }) => `${screen.rows}t`,
  '$|': ({ screen }) => `${screen.columns}$|`,
  '*|': ({ screen }) => `${screen.rows}*|`,
  '*x': ({ attributeExtent }) => `${attributeExtent === 'rectangle' ? 2 : 0}*x`,
  '$}': () => `${NO_STATUS_LINE}$}`,
  '$~': () => `${NO_STATUS_LINE}$~`,
};

export const requestSetting: DeviceControlString = {
  kind: 'dcs',
  name: 'DECRQSS, request selection or setting',
  sequence: '$q',
  choices: Object.keys(SETTINGS),
  level: 2,
  run: (state, text) => {
    const setting = Object.hasOwn(SETTINGS, text) ? SETTINGS[text]?.(state) : undefined;
    state.host.reply(setting === undefined ? '\x1bP0$r\x1b\\' : `\x1bP1$r${setting}\x1b\\`);
  },
};

const FOREGROUND_CODES: readonly (readonly [number, string])[] = [
  [BOLD, '1'],
  [DIM, '2'],
  [ITALIC, '3'],
  [BLINK, '5'],
  [INVERSE, '7'],
  [INVISIBLE, '8'],
];

function renditionOf(state: TerminalState): string[] {
  const { pen } = state.screen;
  const codes = FOREGROUND_CODES.filter(([bit]) => (pen.foreground & bit) !== 0).map(([, code]) => code);
  const style = (pen.background & UNDERLINE_MASK) >>> UNDERLINE_SHIFT;
  if (style > 0) codes.push(style === 1 ? '4' : `4:${style}`);
  if ((pen.background & STRIKETHROUGH) !== 0) codes.push('9');
  if ((pen.background & OVERLINE) !== 0) codes.push('53');
  codes.push(...colorCode(pen.foreground, 38), ...colorCode(pen.background, 48));
  codes.push(...colorCode(state.extra(pen.extra).underlineColor, 58));
  return codes;
}

function colorCode(word: number, code: 38 | 48 | 58): string[] {
  const value = word & COLOR_VALUE_MASK;
  switch (word & COLOR_KIND_MASK) {
    case COLOR_INDEXED:
      if (code === 58 || value > 15) return [`${code}:5:${value}`];
      return [`${code - 8 + (value < 8 ? value : value + 52)}`];
    case COLOR_RGB:
      return [`${code}:2::${value >> 16}:${(value >> 8) & 0xff}:${value & 0xff}`];
    default:
      return [];
  }
}
