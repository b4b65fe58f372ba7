import type { RenderExtension } from '../x11/render-extension.ts';
import type { FontSet } from './font-set.ts';
import type { ClusterRequest, Route, RouteStep } from './routing/route.ts';

/** Finds the face for a cluster. */
export interface ClusterRouter {
  route(request: ClusterRequest, step: RouteStep): Route;
}

/** Where text lies in the cells of a slot, in pixels. */
export interface SlotMetrics {
  readonly cell: { readonly width: number; readonly height: number };
  /** From the top of the cell to the baseline. */
  readonly ascent: number;
  /** From the baseline to the bottom of the cell. */
  readonly descent: number;
}

/** Fonts that the X server has. */
export interface BitmapSlotFonts extends SlotMetrics {
  readonly kind: 'bitmap';
  readonly set: FontSet;
}

/** Faces of font files. */
export interface OutlineSlotFonts extends SlotMetrics {
  readonly kind: 'outline';
  readonly router: ClusterRouter;
  /** What the server draws them with. */
  readonly render: RenderExtension;
  /** Closes its faces; nothing may be drawn with them afterwards. */
  close(): void;
}

/** What an entry of the VT Fonts menu draws with. */
export type SlotFonts = BitmapSlotFonts | OutlineSlotFonts;

/** The cell is that of the first font, as all of them have it. */
export function bitmapSlotFonts(set: FontSet): BitmapSlotFonts {
  const { cellWidth: width, ascent, descent } = set.normal;
  return { kind: 'bitmap', set, cell: { width, height: ascent + descent }, ascent, descent };
}
