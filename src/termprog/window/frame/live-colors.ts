import type { Rgb } from '../../color/parse-color.ts';
import type { Diagnostics } from '../../diagnostics.ts';
import type { LiveOptions } from '../../options/live-options.ts';
import type { LiveName } from '../../options/option-types.ts';
import type { Painter } from '../../render/painter.ts';
import { numberOf, type PixelValues } from '../../render/pixel-values.ts';
import { isColorName, resolveColor } from '../../x11/color.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import { readColors } from '../../xresource/settings.ts';
import { type ApplicationColorParts, ApplicationColors } from './application-colors.ts';
import { opacityOf } from './choose-visual.ts';
import { loadTextColors } from './text-colors.ts';

export type LoadedColors = Awaited<ReturnType<typeof loadTextColors>>;

const PALETTE_NAMES = Array.from({ length: 16 }, (_, index): LiveName => `color${index}`);

export interface OwnColorParts extends Pick<ApplicationColorParts, 'work' | 'request' | 'send' | 'reportsScheme'> {
  connection: XConnection;
  options: LiveOptions;
  /** The colours at the start. */
  colors: LoadedColors;
}

/** Creates the colours that applications change, on top of the window's first colours. */
export function createApplicationColors(parts: OwnColorParts): ApplicationColors {
  const { connection, options, colors, work, request, send, reportsScheme } = parts;
  return new ApplicationColors({
    configured: colors,
    work,
    isReversed: () => options.get('reverseVideo'),
    lookUp: (name) => resolveColor(connection, name),
    isName: isColorName,
    request,
    send,
    reportsScheme,
  });
}

export interface LiveColorParts {
  connection: XConnection;
  window: number;
  options: LiveOptions;
  painter: Painter;
  pixels: PixelValues;
  diagnostics: Diagnostics;
  applicationColors: ApplicationColors;
  /** The colours at the start. */
  colors: LoadedColors;
  /** Redraws everything with the changed colours. */
  redraw(): void;
}

/** Applies changed colour options: names are resolved by the server, and colours that an application changed stay. */
export function followColors(parts: LiveColorParts): void {
  const { connection, window, options, painter, pixels, diagnostics, applicationColors, colors, redraw } = parts;
  let border: Rgb = colors.border;
  let generation = 0;
  const reload = async (): Promise<void> => {
    generation += 1;
    const mine = generation;
    const loaded = await loadTextColors(connection, readColors(options.reader), diagnostics);
    // Another change followed: only its result counts.
    if (mine !== generation) return;
    const borderPixel = pixels.opaque(numberOf(loaded.border));
    if (borderPixel !== pixels.opaque(numberOf(border))) {
      connection.client.ChangeWindowAttributes(window, { borderPixel });
    }
    border = loaded.border;
    applicationColors.configure(loaded);
    redraw();
  };
  options.watch(['foreground', 'background', 'cursorColor', 'borderColor', ...PALETTE_NAMES], () => {
    // A failure means that the connection is gone, which is reported elsewhere.
    reload().catch(() => {});
  });
  options.watch(['boldColors'], () => {
    painter.setColors({ boldIsBright: options.get('boldColors') });
    redraw();
  });
  options.watch(['backgroundOpacity'], () => {
    painter.setOpacity(opacityOf(options));
    redraw();
  });
  options.watch(['reverseVideo'], () => applicationColors.noticeReversal());
}
