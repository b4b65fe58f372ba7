import {
  BLINK,
  BOLD,
  COLOR_INDEXED,
  COLOR_MASK,
  COLOR_RGB,
  DIM,
  INVERSE,
  INVISIBLE,
  ITALIC,
  OVERLINE,
  STRIKETHROUGH,
  UNDERLINE,
  UNDERLINE_MASK,
  UNDERLINE_SHIFT,
} from '../cell.ts';
import type { ControlSequence } from '../control-function.ts';
import type { Parameters } from '../parameters.ts';
import type { Pen } from '../pen.ts';
import type { TerminalState } from '../terminal-state.ts';

/** Colours and attributes of what is written next; ECMA-48 8.3.117, ISO 8613-6 for the colours of 38, 48 and 58. */
export const graphicRendition: ControlSequence = {
  kind: 'csi',
  name: 'SGR, select graphic rendition',
  sequences: ['m'],
  run: (state, parameters) => {
    const { pen } = state.screen;
    for (let index = 0; index < parameters.length; index += 1) {
      const code = parameters.at(index);
      if (code === 38 || code === 48 || code === 58) index += takeColor(state, code, parameters, index);
      else if (code === 4 && parameters.hasSubParameters(index))
        underline(pen, parameters.subParameters(index)?.[0] ?? 1);
      else if (!takePaletteColor(pen, code)) takeAttribute(state, code);
    }
  },
};

const FOREGROUND_ON: Readonly<Record<number, number>> = {
  1: BOLD,
  2: DIM,
  3: ITALIC,
  5: BLINK,
  6: BLINK,
  7: INVERSE,
  8: INVISIBLE,
};
const FOREGROUND_OFF: Readonly<Record<number, number>> = {
  22: BOLD | DIM,
  23: ITALIC,
  25: BLINK,
  27: INVERSE,
  28: INVISIBLE,
};

function takeAttribute(state: TerminalState, code: number): void {
  const { pen } = state.screen;
  const on = FOREGROUND_ON[code];
  const off = FOREGROUND_OFF[code];
  if (on !== undefined) pen.foreground |= on;
  else if (off !== undefined) pen.foreground &= ~off;
  else takeRareAttribute(state, pen, code);
}

function takeRareAttribute(state: TerminalState, pen: Pen, code: number): void {
  switch (code) {
    case 0:
      pen.foreground = 0;
      pen.background = 0;
      if (pen.extra !== 0) state.changeExtra({ underlineColor: 0 });
      return;
    case 4:
      underline(pen, UNDERLINE.single);
      return;
    case 9:
      pen.background |= STRIKETHROUGH;
      return;
    case 21:
      underline(pen, UNDERLINE.double);
      return;
    case 24:
      underline(pen, UNDERLINE.none);
      return;
    case 29:
      pen.background &= ~STRIKETHROUGH;
      return;
    case 53:
      pen.background |= OVERLINE;
      return;
    case 55:
      pen.background &= ~OVERLINE;
      return;
    case 59:
      if (pen.extra !== 0) state.changeExtra({ underlineColor: 0 });
      return;
    default:
  }
}

function underline(pen: Pen, style: number): void {
  if (style < UNDERLINE.none || style > UNDERLINE.dashed) return;
  pen.background = (pen.background & ~UNDERLINE_MASK) | (style << UNDERLINE_SHIFT);
}

/** The sixteen colours and the default ones, 30 to 49 and 90 to 107; false for another code. */
function takePaletteColor(pen: Pen, code: number): boolean {
  if (code < 30 || code > 107) return false;
  if (code <= 37) setForeground(pen, COLOR_INDEXED | (code - 30));
  else if (code === 39) setForeground(pen, 0);
  else if (code >= 40 && code <= 47) setBackground(pen, COLOR_INDEXED | (code - 40));
  else if (code === 49) setBackground(pen, 0);
  else if (code >= 90 && code <= 97) setForeground(pen, COLOR_INDEXED | (code - 82));
  else if (code >= 100) setBackground(pen, COLOR_INDEXED | (code - 92));
  else return false;
  return true;
}

/** A colour by its number or its parts, in sub-parameters or in the parameters that follow; returns how many of these it used. */
function takeColor(state: TerminalState, code: number, parameters: Parameters, index: number): number {
  const sub = parameters.hasSubParameters(index) ? parameters.subParameters(index) : undefined;
  if (sub !== undefined) {
    const [kind = 0] = sub;
    // There may be a colour space between the kind and the parts.
    const parts = kind === 2 && sub.length > 4 ? 2 : 1;
    const part = (at: number): number => Math.max(0, sub[parts + at] ?? 0);
    applyColor(state, code, colorOf(kind, part(0), part(1), part(2)));
    return 0;
  }
  const kind = parameters.at(index + 1);
  const first = parameters.at(index + 2);
  if (kind !== 2) {
    applyColor(state, code, colorOf(kind, first));
    return kind === 5 ? 2 : 1;
  }
  applyColor(state, code, colorOf(kind, first, parameters.at(index + 3), parameters.at(index + 4)));
  return 4;
}

function applyColor(state: TerminalState, code: number, color: number | undefined): void {
  if (color === undefined) return;
  const { pen } = state.screen;
  if (code === 38) setForeground(pen, color);
  else if (code === 48) setBackground(pen, color);
  else state.changeExtra({ underlineColor: color });
}

/** Undefined for parts above 255, and for kinds that terminals don't have. */
function colorOf(kind: number, first: number, green = 0, blue = 0): number | undefined {
  if (kind === 5) return first > 255 ? undefined : COLOR_INDEXED | first;
  if (kind !== 2 || first > 255 || green > 255 || blue > 255) return undefined;
  return COLOR_RGB | (first << 16) | (green << 8) | blue;
}

function setForeground(pen: Pen, color: number): void {
  pen.foreground = (pen.foreground & ~COLOR_MASK) | color;
}

function setBackground(pen: Pen, color: number): void {
  pen.background = (pen.background & ~COLOR_MASK) | color;
}
