import type { EmojiPresentation } from './cluster-kind.ts';

/** A pattern of fontconfig, and the resource that names it. */
export interface NamedPattern {
  readonly resource: string;
  readonly pattern: string;
}

/** The roles of faces that have patterns of their own. */
export type PatternRole = 'emoji' | 'han' | 'wideBold' | 'doublesize' | 'bold' | 'fallback' | 'emojiText';

/** The resources that choose among faces. @spec termprog#terminal-widget-resources-termvt100 */
export interface RoutingSettings {
  /** Patterns in the order of their lookup. */
  readonly patterns: Readonly<Record<PatternRole, readonly NamedPattern[]>>;
  readonly emojiPresentation: EmojiPresentation;
  readonly colorGlyphs: boolean;
  readonly fitEmojiText: boolean;
  readonly systemFallback: boolean;
  /** Most fallback faces opened for one slot and style; 0 disables fallback. */
  readonly limitFontsets: number;
  /** Percent. */
  readonly limitFontWidth: number;
}
