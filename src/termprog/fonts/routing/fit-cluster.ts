import type { Face, ShapedGlyph } from '../outline/face.ts';
import type { ClusterKind } from './cluster-kind.ts';
import type { Role } from './role-order.ts';
import type { RoutingSettings } from './routing-settings.ts';

/** A cluster that needs a face. */
export interface WantedCluster {
  readonly kind: ClusterKind;
  /** Code points without presentation selectors. */
  readonly codePoints: readonly number[];
  readonly cells: 1 | 2;
  /** Size in pixels. */
  readonly cell: { readonly width: number; readonly height: number };
}

/** Glyphs of a face for a cluster, and their scale. */
export interface FittedGlyphs {
  readonly glyphs: readonly ShapedGlyph[];
  readonly scale: number;
  readonly isColor: boolean;
}

/** The face's glyphs for a cluster, or the reason for a refusal; if it is only too wide, also the shrunk glyphs. */
export type Fit = FittedGlyphs | { readonly refusal: string; readonly shrunk?: FittedGlyphs };

/** Tolerance: advances are sums of fractions, and less than half a pixel of excess is accepted. */
const ROUNDING_PIXELS = 0.5;

type FitSettings = Pick<RoutingSettings, 'colorGlyphs' | 'fitEmojiText' | 'limitFontWidth'>;

/**
 * Whether a face serves a cluster in a role, and at which scale.
 * @param isLastResort whether to accept colour glyphs where none are wanted, and monochrome ones where colours are
 * @spec termprog#terminal-widget-resources-termvt100 fitEmojiText, limitFontWidth, colorGlyphs
 */
export function fitCluster(
  face: Face,
  role: Role,
  wanted: WantedCluster,
  { settings, isLastResort }: { settings: FitSettings; isLastResort: boolean },
): Fit {
  // This lookup comes first, because shaping costs a hundred times as much.
  const hasBase = face.glyphOf(wanted.codePoints[0] ?? 0) !== 0;
  const glyphs = hasBase ? face.shape(wanted.codePoints) : undefined;
  if (glyphs === undefined) return refuse('has no glyph');
  const hasColor = glyphs.some(({ glyph }) => isColorGlyph(face, glyph));
  if (hasColor && role.isMonochrome) return refuse('has a colour glyph, where monochrome ones are wanted');
  if (hasColor && !settings.colorGlyphs && !face.hasOutlines) return refuse('has colours and no outline');
  const isColor = hasColor && settings.colorGlyphs;
  const mismatch = isLastResort ? undefined : mismatchOf(isColor, role, wanted.kind, settings);
  if (mismatch !== undefined) return refuse(mismatch);
  const advance = advanceOf(face, glyphs);
  const scale = isColor ? colorScale(face, advance, wanted) : monochromeScale(advance, role, wanted, settings);
  if (scale !== undefined) return { glyphs, scale, isColor };
  const refusal = `is too wide: ${advance.toFixed(1)} pixels for ${roomFor(wanted)}`;
  if (isEmojiKind(wanted.kind)) return refuse(refusal);
  return { refusal, shrunk: { glyphs, scale: roomFor(wanted) / advance, isColor } };
}

/** Whether a cluster should be drawn in colours, if some face has them. */
export function wantsColor(kind: ClusterKind, { colorGlyphs }: Pick<RoutingSettings, 'colorGlyphs'>): boolean {
  return kind === 'emoji' && colorGlyphs;
}

/**
 * Returns whether a glyph has colours. Every glyph of a face without outlines is a picture, so that it need not be
 * read.
 */
function isColorGlyph(face: Face, glyph: number): boolean {
  return face.hasColorGlyphs && (!face.hasOutlines || face.isColorGlyph(glyph));
}

/** Returns the reason to prefer other faces: this one has the glyph, but not in the wanted form. */
function mismatchOf(isColor: boolean, role: Role, kind: ClusterKind, settings: FitSettings): string | undefined {
  if (isColor) return kind === 'emojiText' ? 'has a colour glyph, where text is wanted' : undefined;
  const isPlainEmoji = role.defersPlainEmoji && wantsColor(kind, settings);
  return isPlainEmoji ? 'has no colours, where emoji are wanted' : undefined;
}

/** Scales colour glyphs to fit their cells in both directions. */
function colorScale({ metrics }: Face, advance: number, wanted: WantedCluster): number {
  const lineHeight = metrics.ascent + metrics.descent;
  return Math.min(1, advance > 0 ? roomFor(wanted) / advance : 1, lineHeight > 0 ? wanted.cell.height / lineHeight : 1);
}

/** Undefined when the glyphs are too wide. */
function monochromeScale(
  advance: number,
  role: Role,
  wanted: WantedCluster,
  { fitEmojiText, limitFontWidth }: FitSettings,
): number | undefined {
  const room = roomFor(wanted);
  // The cell was derived from the primary face.
  if (role.name === 'primary' || advance < room + ROUNDING_PIXELS) return 1;
  const isEmoji = isEmojiKind(wanted.kind);
  if (isEmoji && fitEmojiText) return room / advance;
  if (!isEmoji && !role.isFallback) return 1;
  return advance <= room * (1 + limitFontWidth / 100) ? 1 : undefined;
}

/** Whether `fitEmojiText` alone decides if the cluster may be shrunk. */
function isEmojiKind(kind: ClusterKind): boolean {
  return kind === 'emoji' || kind === 'emojiText';
}

/** Returns the pixels of the cluster's cells. */
function roomFor({ cells, cell }: WantedCluster): number {
  return cells * cell.width;
}

/** Returns the pixels from the origin to the end of the last glyph. */
function advanceOf(face: Face, glyphs: readonly ShapedGlyph[]): number {
  return glyphs.reduce((widest, { glyph, x }) => Math.max(widest, x + face.advanceOf(glyph)), 0);
}

function refuse(refusal: string): Fit {
  return { refusal };
}
