import type { Face, ShapedGlyph } from '../outline/face.ts';
import type { ClusterKind } from './cluster-kind.ts';
import type { Role } from './role-order.ts';
import type { RoutingSettings } from './routing-settings.ts';

/** A cluster for which a face is looked for. */
export interface WantedCluster {
  readonly kind: ClusterKind;
  /** Without selectors of a presentation. */
  readonly codePoints: readonly number[];
  readonly cells: 1 | 2;
  /** In pixels. */
  readonly cell: { readonly width: number; readonly height: number };
}

/** Glyphs of a face for a cluster, and how large they are drawn. */
export interface FittedGlyphs {
  readonly glyphs: readonly ShapedGlyph[];
  readonly scale: number;
  readonly isColor: boolean;
}

/** What a face makes of a cluster, or why it does not serve; then how it would fit, if it is only too wide. */
export type Fit = FittedGlyphs | { readonly refusal: string; readonly shrunk?: FittedGlyphs };

/** Advances are sums of fractions: what is less than half a pixel too wide is not too wide. */
const ROUNDING_PIXELS = 0.5;

type FitSettings = Pick<RoutingSettings, 'colorGlyphs' | 'fitEmojiText' | 'limitFontWidth'>;

/**
 * Whether a face serves a cluster in a role, and how large its glyphs are drawn.
 * @param isLastResort whether glyphs serve that have colours where none are wanted, or none where they are
 * @spec termprog#terminal-widget-resources-termvt100 fitEmojiText, limitFontWidth, colorGlyphs
 */
export function fitCluster(
  face: Face,
  role: Role,
  wanted: WantedCluster,
  { settings, isLastResort }: { settings: FitSettings; isLastResort: boolean },
): Fit {
  // Looked up first, because shaping costs a hundred times as much.
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

/** Whether a cluster is to be drawn in colours, if some face has them. */
export function wantsColor(kind: ClusterKind, { colorGlyphs }: Pick<RoutingSettings, 'colorGlyphs'>): boolean {
  return kind === 'emoji' && colorGlyphs;
}

/** Without outlines everything is a picture, which need not be read to know that. */
function isColorGlyph(face: Face, glyph: number): boolean {
  return face.hasColorGlyphs && (!face.hasOutlines || face.isColorGlyph(glyph));
}

/** Why other faces are asked first: this one has the glyph, but not as it is wanted. */
function mismatchOf(isColor: boolean, role: Role, kind: ClusterKind, settings: FitSettings): string | undefined {
  if (isColor) return kind === 'emojiText' ? 'has a colour glyph, where text is wanted' : undefined;
  const isPlainEmoji = role.defersPlainEmoji && wantsColor(kind, settings);
  return isPlainEmoji ? 'has no colours, where emoji are wanted' : undefined;
}

/** Colour glyphs fit into their cells in both directions. */
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
  // The cell was made for the primary face.
  if (role.name === 'primary' || advance < room + ROUNDING_PIXELS) return 1;
  const isEmoji = isEmojiKind(wanted.kind);
  if (isEmoji && fitEmojiText) return room / advance;
  if (!isEmoji && !role.isFallback) return 1;
  return advance <= room * (1 + limitFontWidth / 100) ? 1 : undefined;
}

/** For these, `fitEmojiText` alone says whether they may be shrunk. */
function isEmojiKind(kind: ClusterKind): boolean {
  return kind === 'emoji' || kind === 'emojiText';
}

/** Pixels of the cells that a cluster has. */
function roomFor({ cells, cell }: WantedCluster): number {
  return cells * cell.width;
}

/** Pixels from the origin to the end of the last glyph. */
function advanceOf(face: Face, glyphs: readonly ShapedGlyph[]): number {
  return glyphs.reduce((widest, { glyph, x }) => Math.max(widest, x + face.advanceOf(glyph)), 0);
}

function refuse(refusal: string): Fit {
  return { refusal };
}
