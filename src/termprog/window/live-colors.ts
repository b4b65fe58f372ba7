import type { Diagnostics } from '../diagnostics.ts';
import type { LiveOptions } from '../options/live-options.ts';
import type { LiveName } from '../options/option-types.ts';
import type { Painter } from '../render/painter.ts';
import { type ColorChange, pixelOf } from '../render/palette.ts';
import type { Rgb } from '../x11/color.ts';
import type { XConnection } from '../x11/connection.ts';
import { readColors } from '../xresource/settings.ts';
import { loadTextColors } from './text-colors.ts';

export type LoadedColors = Awaited<ReturnType<typeof loadTextColors>>;

const PALETTE_NAMES = Array.from({ length: 16 }, (_, index): LiveName => `color${index}`);

export interface ColorParts {
  connection: XConnection;
  window: number;
  options: LiveOptions;
  painter: Painter;
  diagnostics: Diagnostics;
  /** The colours the window started with. */
  first: LoadedColors;
  /** Draws everything with the changed colours. */
  redraw(): void;
}

/** Lets changed colours take effect: names are asked of the server, and only what differs is changed. */
export function followColors({ connection, window, options, painter, diagnostics, first, redraw }: ColorParts): void {
  let inForce = first;
  let generation = 0;
  const reload = async (): Promise<void> => {
    generation += 1;
    const mine = generation;
    const loaded = await loadTextColors(connection, readColors(options.reader), diagnostics);
    // Another change came meanwhile; only its answer counts.
    if (mine !== generation) return;
    painter.setColors(changeBetween(inForce, loaded));
    if (!isSame(inForce.border, loaded.border)) {
      connection.client.ChangeWindowAttributes(window, { borderPixel: pixelOf(connection.screen, loaded.border) });
    }
    inForce = loaded;
    redraw();
  };
  options.watch(['foreground', 'background', 'cursorColor', 'borderColor', ...PALETTE_NAMES], () => {
    // It fails only when the connection is gone, which is reported elsewhere.
    reload().catch(() => {});
  });
  options.watch(['boldColors'], () => {
    painter.setColors({ boldIsBright: options.get('boldColors') });
    redraw();
  });
}

function changeBetween(before: LoadedColors, after: LoadedColors): ColorChange {
  const entries = after.ansi.flatMap((color, index): [number, Rgb][] =>
    isSame(before.ansi[index], color) ? [] : [[index, color]],
  );
  return {
    ...(!isSame(before.foreground, after.foreground) && { foreground: after.foreground }),
    ...(!isSame(before.background, after.background) && { background: after.background }),
    ...(!isSame(before.cursor, after.cursor) && { cursor: after.cursor }),
    ...(entries.length > 0 && { entries: new Map(entries) }),
  };
}

function isSame(one: Rgb | undefined, other: Rgb | undefined): boolean {
  return one?.red === other?.red && one?.green === other?.green && one?.blue === other?.blue;
}
