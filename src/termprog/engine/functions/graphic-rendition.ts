import { COLOR_INDEXED, COLOR_MASK, COLOR_RGB, UNDERLINE, UNDERLINE_MASK, UNDERLINE_SHIFT } from '../cell.ts';
import type { ControlSequence } from '../control-function.ts';
import type { Parameters } from '../parameters.ts';
import type { Pen } from '../pen.ts';
import { RENDITIONS, renditions } from '../renditions.ts';
import type { TerminalState } from '../terminal-state.ts';

/**
 * Sets colours and attributes of the text that is written next; ECMA-48 8.3.117, ISO 8613-6 for the colours of 38, 48
 * and 58.
 */
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
      else takeNumber(state, code);
    }
  },
};

/** Applies a number that needs no further numbers. */
function takeNumber(state: TerminalState, code: number): void {
  if (code >= RENDITIONS) return;
  const { pen } = state.screen;
  pen.foreground = (pen.foreground & (renditions.foregroundKept[code] ?? 0)) | (renditions.foregroundSet[code] ?? 0);
  pen.background = (pen.background & (renditions.backgroundKept[code] ?? 0)) | (renditions.backgroundSet[code] ?? 0);
  if ((code === 0 || code === 59) && pen.extra !== 0) state.changeExtra({ underlineColor: 0 });
}

function underline(pen: Pen, style: number): void {
  if (style < UNDERLINE.none || style > UNDERLINE.dashed) return;
  pen.background = (pen.background & ~UNDERLINE_MASK) | (style << UNDERLINE_SHIFT);
}

/**
 * Applies a colour given by its number or its parts, in sub-parameters or in the parameters that follow; returns how
 * many of these it used.
 */
function takeColor(state: TerminalState, code: number, parameters: Parameters, index: number): number {
  const sub = parameters.hasSubParameters(index) ? parameters.subParameters(index) : undefined;
  if (sub !== undefined) {
    const [kind = 0] = sub;
    // A colour space may stand between the kind and the parts.
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

/** Returns the colour word; undefined for parts above 255, and for kinds that terminals don't have. */
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
