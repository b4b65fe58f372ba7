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

/** What a face makes of a cluster, or why it does not serve. */
export type Fit =
  | { readonly glyphs: readonly ShapedGlyph[]; readonly scale: number; readonly isColor: boolean }
  | { readonly refusal: string; readonly isDeferred: boolean };

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
  const glyphs = face.shape(wanted.codePoints);
  if (glyphs === undefined) return refuse('has no glyph');
  const hasColor = glyphs.some(({ glyph }) => face.isColorGlyph(glyph));
  if (hasColor && role.isMonochrome) return refuse('has a colour glyph, where monochrome ones are wanted');
  if (hasColor && !settings.colorGlyphs && !face.hasOutlines) return refuse('has colours and no outline');
  const isColor = hasColor && settings.colorGlyphs;
  if (!isLastResort && isColor && wanted.kind === 'emojiText') return defer('has a colour glyph, where text is wanted');
  if (!isLastResort && !isColor && role.defersPlainEmoji && wantsColor(wanted.kind, settings)) {
    return defer('has no colours, where emoji are wanted');
  }
  const advance = advanceOf(face, glyphs);
  const room = wanted.cells * wanted.cell.width;
  if (isColor) return { glyphs, scale: colorScale(face, advance, room, wanted.cell.height), isColor };
  const isEmoji = wanted.kind === 'emoji' || wanted.kind === 'emojiText';
  const fits = { glyphs, scale: 1, isColor };
  // The cell was made for this face.
  if (role.name === 'primary' || advance < room + ROUNDING_PIXELS) return fits;
  if (isEmoji && settings.fitEmojiText) return { ...fits, scale: room / advance };
  if (!isEmoji && !role.isFallback) return fits;
  const isWithinLimit = advance <= room * (1 + settings.limitFontWidth / 100);
  return isWithinLimit ? fits : refuse(`is too wide: ${advance.toFixed(1)} pixels for ${room}`);
}

/** Whether a cluster is to be drawn in colours, if some face has them. */
export function wantsColor(kind: ClusterKind, { colorGlyphs }: Pick<RoutingSettings, 'colorGlyphs'>): boolean {
  return kind === 'emoji' && colorGlyphs;
}

/** Colour glyphs fit into their cells in both directions. */
function colorScale({ metrics }: Face, advance: number, width: number, height: number): number {
  const lineHeight = metrics.ascent + metrics.descent;
  return Math.min(1, advance > 0 ? width / advance : 1, lineHeight > 0 ? height / lineHeight : 1);
}

/** Pixels from the origin to the end of the last glyph. */
function advanceOf(face: Face, glyphs: readonly ShapedGlyph[]): number {
  return glyphs.reduce((widest, { glyph, x }) => Math.max(widest, x + face.advanceOf(glyph)), 0);
}

function refuse(refusal: string): Fit {
  return { refusal, isDeferred: false };
}

function defer(refusal: string): Fit {
  return { refusal, isDeferred: true };
}
