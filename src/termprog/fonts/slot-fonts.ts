import type { RenderExtension } from '../x11/render-extension.ts';
import type { FontSet } from './font-set.ts';
import type { ClusterRequest, Route, RouteStep } from './routing/route.ts';

/** Finds the face for a cluster. */
export interface ClusterRouter {
  route(request: ClusterRequest, step: RouteStep): Route;
}

/** Position of text in the cells of a slot, in pixels. */
export interface SlotMetrics {
  readonly cell: { readonly width: number; readonly height: number };
  /** Pixels from the top of the cell to the baseline. */
  readonly ascent: number;
  /** Pixels from the baseline to the bottom of the cell. */
  readonly descent: number;
}

/** Fonts of the X server. */
export interface BitmapSlotFonts extends SlotMetrics {
  readonly kind: 'bitmap';
  readonly set: FontSet;
}

/** Faces of font files. */
export interface OutlineSlotFonts extends SlotMetrics {
  readonly kind: 'outline';
  readonly router: ClusterRouter;
  /** The server extension that draws them. */
  readonly render: RenderExtension;
  /** Closes the faces; drawing with them must stop before. */
  close(): void;
}

/** The fonts of an entry of the VT Fonts menu. */
export type SlotFonts = BitmapSlotFonts | OutlineSlotFonts;

/** Wraps the fonts of a slot; the cell is that of the first font, which all of them share. */
export function bitmapSlotFonts(set: FontSet): BitmapSlotFonts {
  const { cellWidth: width, ascent, descent } = set.normal;
  return { kind: 'bitmap', set, cell: { width, height: ascent + descent }, ascent, descent };
}
