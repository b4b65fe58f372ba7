import { effectiveDpi, screenDpi } from '../../fonts/outline/xft-defaults.ts';
import type { XConnection } from '../../x11/connection.ts';
import { askMonitors, type Monitor } from '../../x11/monitors.ts';
import type { ResourceLookup } from '../../xresource/lookup.ts';

/** How large the screen is, and how fine. */
export interface ScreenFacts {
  widthPixels: number;
  heightPixels: number;
  /** Dots per inch by which points become pixels. */
  dpi: number;
  /** Whether `Xft.dpi` gives it; else the size of the screen does. */
  isDpiSet: boolean;
  /** Dots per inch that a person sees: those of the monitor, where it says so and they make sense. */
  seenDpi: number;
}

/** Monitors outside of these are televisions, projectors and wrong numbers. */
const SEEN_DPI_LEAST = 70;
const SEEN_DPI_MOST = 450;

const INCH_MM = 25.4;

/** Asks the server; the size of a monitor counts, that of the screen may be made up. */
export async function screenFacts(connection: XConnection, resources: ResourceLookup): Promise<ScreenFacts> {
  const { pixel_width: widthPixels, pixel_height: heightPixels, mm_height: heightMm } = connection.screen;
  const monitors = await askMonitors(connection);
  const xftDpi = resources.xft('dpi');
  const ofScreen = screenDpi({ heightPixels, heightMm });
  const dpi = effectiveDpi({
    dpi: ofScreen,
    subpixelOrder: 0,
    resources: xftDpi === undefined ? {} : { dpi: xftDpi },
  });
  const monitor = monitors.find(({ isPrimary }) => isPrimary) ?? monitors[0];
  return {
    widthPixels: monitor?.widthPixels ?? widthPixels,
    heightPixels: monitor?.heightPixels ?? heightPixels,
    dpi,
    isDpiSet: xftDpi !== undefined && dpi !== ofScreen,
    seenDpi: (monitor && seenDpi(monitor)) ?? dpi,
  };
}

function seenDpi({ heightPixels, heightMm }: Monitor): number | undefined {
  const dpi = (heightPixels * INCH_MM) / heightMm;
  return dpi >= SEEN_DPI_LEAST && dpi <= SEEN_DPI_MOST ? dpi : undefined;
}
