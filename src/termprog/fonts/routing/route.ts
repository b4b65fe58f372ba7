import type { Face, ShapedGlyph } from '../outline/face.ts';
import type { RoleName } from './role-order.ts';

/** A character as a cell has it. */
export interface ClusterRequest {
  readonly codePoints: readonly number[];
  /** The cells it takes. */
  readonly cells: 1 | 2;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** What draws a cluster. */
export type Route = FaceRoute | { readonly kind: 'missing' };

/** Glyphs of a face. */
export interface FaceRoute {
  readonly kind: 'face';
  readonly face: Face;
  readonly glyphs: readonly ShapedGlyph[];
  /** Of the face's size; 1 as it is, less where the glyphs are fitted to their cells. */
  readonly scale: number;
  /** Whether colours are wanted; without them a glyph of colours is drawn by its outline. */
  readonly isColor: boolean;
  readonly role: RoleName;
}

/** Which faces are asked: those that the user named, or the system's. Procedural glyphs stand between the two. */
export type RouteStep = 'named' | 'system';

export const MISSING: Route = { kind: 'missing' };
