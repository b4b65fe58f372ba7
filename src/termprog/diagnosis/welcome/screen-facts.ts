import { effectiveDpi, screenDpi } from '../../fonts/outline/xft-defaults.ts';
import { askMonitors, type Monitor } from '../../x11/monitors.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import type { ResourceLookup } from '../../xresource/lookup.ts';

/** Size and resolution of the screen. */
export interface ScreenFacts {
  widthPixels: number;
  heightPixels: number;
  /** Dots per inch that convert points to pixels. */
  dpi: number;
  /** Whether `Xft.dpi` sets it; otherwise the size of the screen does. */
  isDpiSet: boolean;
  /** Dots per inch that the user sees: those of the monitor, if it reports plausible ones. */
  seenDpi: number;
}

/** Monitors outside these limits are televisions, projectors and wrong numbers. */
const SEEN_DPI_LEAST = 70;
const SEEN_DPI_MOST = 450;

const INCH_MM = 25.4;

/** Queries the server; the size of a monitor counts, because that of the screen may be made up. */
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
