import type { Face, ShapedGlyph } from '../outline/face.ts';
import type { RoleName } from './role-order.ts';

/** The content of a cell, for which a face is needed. */
export interface ClusterRequest {
  readonly codePoints: readonly number[];
  /** Number of cells that it takes. */
  readonly cells: 1 | 2;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** The route of a cluster: the face that draws it, or that there is none. */
export type Route = FaceRoute | { readonly kind: 'missing' };

/** Glyphs of a face. */
export interface FaceRoute {
  readonly kind: 'face';
  readonly face: Face;
  readonly glyphs: readonly ShapedGlyph[];
  /** Factor of the face's size; less than 1 if the glyphs are fitted to their cells. */
  readonly scale: number;
  /** Whether colours are wanted; otherwise a colour glyph is drawn by its outline. */
  readonly isColor: boolean;
  readonly role: RoleName;
}

/** The faces that are tried: those that the user named, or the system's. Procedural glyphs come between the two. */
export type RouteStep = 'named' | 'system';

export const MISSING: Route = { kind: 'missing' };
