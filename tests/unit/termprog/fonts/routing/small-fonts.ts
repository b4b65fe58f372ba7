import type { Face } from '../../../../../src/termprog/fonts/outline/face.ts';
import type { FaceCandidate, FaceRequest, FaceSource } from '../../../../../src/termprog/fonts/outline/face-source.ts';
import { FontRouter } from '../../../../../src/termprog/fonts/routing/font-router.ts';
import type { Route, RouteStep } from '../../../../../src/termprog/fonts/routing/route.ts';
import type { RoutingNotes } from '../../../../../src/termprog/fonts/routing/routing-records.ts';
import type { PatternRole, RoutingSettings } from '../../../../../src/termprog/fonts/routing/routing-settings.ts';

/** A font of a few characters; a pattern that is its name matches it. */
export interface SmallFont {
  name: string;
  /** Characters of the font; several that follow each other are drawn one after the other. */
  has: string;
  /** Pixels that every glyph advances; 10 where it is left out. */
  advance?: number;
  /** Whether its glyphs have colours. */
  isColor?: boolean;
  /** Whether its glyphs are outlines; true where it is left out. */
  hasOutlines?: boolean;
  isBroken?: boolean;
}

export const CELL = { width: 10, height: 20 };

/** Returns the code points of a text. */
export const codesOf = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);

const NO_PATTERNS: Record<PatternRole, never[]> = {
  emoji: [],
  han: [],
  wideBold: [],
  doublesize: [],
  bold: [],
  fallback: [],
  emojiText: [],
};

interface Options extends Partial<Omit<RoutingSettings, 'patterns'>> {
  /** Names of fonts by role. */
  roles?: Partial<Record<PatternRole, readonly string[]>>;
  fonts: readonly SmallFont[];
  /** Fonts that the system offers; by default it offers no fonts. */
  system?: readonly string[];
  notes?: RoutingNotes;
}

/** A router over small fonts, with the record of all requests to them. The primary one is named "Primary". */
export function routerOf({ roles = {}, fonts, system = [], notes, ...settings }: Options) {
  const opened: string[] = [];
  const closed: string[] = [];
  const warnings: string[] = [];
  const sorted: FaceRequest[] = [];
  const matched: FaceRequest[] = [];
  const asked: string[] = [];
  const candidate = (name: string, request: Pick<FaceRequest, 'isBold' | 'isItalic'>): FaceCandidate | undefined => {
    const font = fonts.find((one) => one.name === name);
    return font && candidateOf(font, request, { opened, closed, asked });
  };
  const source: FaceSource = {
    match: (request) => {
      matched.push(request);
      return candidate(request.pattern, request) ?? candidate('Substitute', request);
    },
    candidates: (request) => {
      sorted.push(request);
      return system.flatMap((name) => candidate(name, request) ?? []);
    },
  };
  const primaries = new Map<string, Face | undefined>();
  const router = new FontRouter({
    source,
    settings: {
      patterns: {
        ...NO_PATTERNS,
        ...Object.fromEntries(
          Object.entries(roles).map(([role, names]) => [
            role,
            names.map((name) => ({ resource: role, pattern: name })),
          ]),
        ),
      },
      emojiPresentation: 'unicode',
      colorGlyphs: true,
      fitEmojiText: true,
      systemFallback: true,
      limitFontsets: 50,
      limitFontWidth: 10,
      ...settings,
    },
    primary: (variant) => {
      const key = styleOf(variant);
      if (!primaries.has(key)) primaries.set(key, candidate('Primary', variant)?.open());
      return primaries.get(key);
    },
    request: { pattern: 'Primary', size: { points: 10 } },
    cell: CELL,
    diagnostics: { warning: (message) => void warnings.push(message) },
    notes,
  });
  const routeOf = (text: string, cells: 1 | 2, step: RouteStep, style = {}): Route =>
    router.route({ codePoints: codesOf(text), cells, isBold: false, isItalic: false, ...style }, step);
  return {
    router,
    opened,
    closed,
    warnings,
    sorted,
    matched,
    asked,
    /** Returns the face that serves a text by either step; "" without such a face. */
    faceFor(text: string, cells: 1 | 2 = 1, style: { isBold?: boolean; isItalic?: boolean } = {}): string {
      const named = routeOf(text, cells, 'named', style);
      return nameOf(named.kind === 'face' ? named : routeOf(text, cells, 'system', style));
    },
    named: (text: string, cells: 1 | 2 = 1) => routeOf(text, cells, 'named'),
    system: (text: string, cells: 1 | 2 = 1) => routeOf(text, cells, 'system'),
  };
}

/** The face of a route, with its style where it is not the plain one. */
export function nameOf(route: Route): string {
  return route.kind === 'face' ? `${route.face.family}${route.face.style}` : '';
}

function styleOf({ isBold, isItalic }: Pick<FaceRequest, 'isBold' | 'isItalic'>): string {
  return `${isBold ? ' bold' : ''}${isItalic ? ' italic' : ''}`;
}

function candidateOf(
  font: SmallFont,
  variant: Pick<FaceRequest, 'isBold' | 'isItalic'>,
  log: { opened: string[]; closed: string[]; asked: string[] },
): FaceCandidate {
  const { name, isColor = false, hasOutlines = true } = font;
  const codes = new Set(codesOf(font.has));
  const style = styleOf(variant);
  return {
    family: name,
    style,
    file: `/fonts/${name}`,
    index: 0,
    hasColor: isColor,
    hasOutlines,
    isNamedFamily: name !== 'Substitute',
    covers: (code) => {
      log.asked.push(name);
      return codes.has(code);
    },
    open: () => {
      if (font.isBroken) throw new Error(`the file of ${name} is damaged`);
      log.opened.push(name + style);
      return faceOf(font, style, codes, () => log.closed.push(name + style));
    },
  };
}

/** Marks and what is not drawn have no advance; everything else has that of the font. */
function faceOf(font: SmallFont, style: string, codes: ReadonlySet<number>, close: () => void): Face {
  const { name, advance = CELL.width, isColor = false, hasOutlines = true } = font;
  const isSilent = (code: number): boolean =>
    /\p{M}|\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(code));
  return {
    family: name,
    style,
    file: `/fonts/${name}`,
    index: 0,
    pixelSize: 16,
    metrics: { ascent: 16, descent: 4, height: 20, maxAdvance: advance },
    hasColorGlyphs: isColor,
    hasOutlines,
    isMonospaced: true,
    glyphOf: (code) => (codes.has(code) ? code : 0),
    shape: (codePoints) => {
      if (!codePoints.every((code) => codes.has(code) || (codePoints.length > 1 && isSilent(code) && !isMark(code)))) {
        return undefined;
      }
      // Emoji are one glyph together, as in a font that has a ligature for each of them.
      const glyphs = isColor ? codePoints.slice(0, 1) : codePoints;
      return glyphs.map((glyph, index) => ({ glyph, x: isSilent(glyph) ? 0 : index * advance, y: 0 }));
    },
    advanceOf: (glyph) => (isSilent(glyph) ? 0 : advance),
    isColorGlyph: () => isColor,
    rasterize: () => undefined,
    close,
  };
}

function isMark(code: number): boolean {
  return /\p{M}/u.test(String.fromCodePoint(code)) && !/\p{Variation_Selector}/u.test(String.fromCodePoint(code));
}
