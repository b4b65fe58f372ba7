import { isPattern } from './face-name.ts';
import type { FaceRequest } from './face-source.ts';
import type { PatternReader } from './font-settings.ts';
import { CURRENT_CONFIG, MATCH_PATTERN, SLANT_ITALIC, WEIGHT_BOLD } from './fontconfig.ts';
import type { OutlineLibraries } from './libraries.ts';
import { effectiveDpi, type ScreenDefaults, substituteXftDefaults } from './xft-defaults.ts';

/** The family that is tried after those of a pattern, as in xterm. */
const LAST_FAMILY = 'mono';

/** Families that the user's configuration maps to others: any replacement counts as the requested one. */
const GENERIC_FAMILIES: readonly string[] = [
  ...['mono', 'monospace', 'sans', 'sansserif', 'serif', 'cursive', 'fantasy', 'systemui', 'emoji', 'math'],
];

/** Size properties of a pattern, which `overridesSize` removes. */
const SIZE_OBJECTS = ['size', 'pixelsize'] as const;

const POINTS_PER_INCH = 72;

/** A pattern with all properties that fontconfig needs to find its font. */
export interface FinishedPattern {
  readonly address: number;
  /** Families that the request names, the preferred one first. */
  readonly families: readonly string[];
}

/**
 * Creates the pattern of a request as xterm does; the caller destroys it. Undefined for text that fontconfig can't
 * parse.
 */
export function createPattern(
  libraries: OutlineLibraries,
  reader: PatternReader,
  request: FaceRequest,
  screen: ScreenDefaults,
): FinishedPattern | undefined {
  const { fontconfig } = libraries;
  if (!isPattern(request.pattern)) return undefined;
  const pattern = fontconfig.parseName(request.pattern);
  if (pattern === 0) return undefined;
  const families = familiesOf(reader, pattern);
  if (request.overridesSize === true) {
    for (const object of SIZE_OBJECTS) fontconfig.remove(pattern, object);
  }
  // Added values come after the pattern's own, and have less weight.
  if (request.isPrimary === true) fontconfig.addString(pattern, 'family', LAST_FAMILY);
  if ('pixels' in request.size) addPixels(libraries, reader, pattern, request.size.pixels);
  else fontconfig.addDouble(pattern, 'size', request.size.points);
  if (request.isBold) fontconfig.addInteger(pattern, 'weight', WEIGHT_BOLD);
  if (request.isItalic) fontconfig.addInteger(pattern, 'slant', SLANT_ITALIC);
  if (request.charWidth !== undefined) fontconfig.addInteger(pattern, 'charwidth', request.charWidth);
  fontconfig.substitute(CURRENT_CONFIG, pattern, MATCH_PATTERN);
  substituteXftDefaults(libraries, reader, pattern, screen);
  return { address: pattern, families };
}

/** Returns the size in points that a pattern sets; undefined without one above 0. */
export function pointsOf(
  { fontconfig }: OutlineLibraries,
  reader: PatternReader,
  text: string,
  screen: ScreenDefaults,
): number | undefined {
  const pattern = isPattern(text) ? fontconfig.parseName(text) : 0;
  if (pattern === 0) return undefined;
  const pixels = reader.double(pattern, 'pixelsize');
  const points = reader.double(pattern, 'size') ?? (pixels && (pixels * POINTS_PER_INCH) / effectiveDpi(screen));
  fontconfig.destroyPattern(pattern);
  return points !== undefined && points > 0 ? points : undefined;
}

/** Whether one of a font's families was requested. */
export function isNamedFamily(asked: readonly string[], found: readonly string[]): boolean {
  const first = asked[0];
  if (first === undefined || GENERIC_FAMILIES.includes(plain(first))) return true;
  const names = new Set(found.map(plain));
  return asked.some((family) => names.has(plain(family)));
}

/** Returns all families of a pattern or font: one per language of its name. */
export function familiesOf(reader: PatternReader, pattern: number): string[] {
  const families: string[] = [];
  for (let n = 0; n < FAMILIES_MAX; n++) {
    const family = reader.text(pattern, 'family', n);
    if (family === undefined) break;
    families.push(family);
  }
  return families;
}

const FAMILIES_MAX = 32;

/** Adds a size in pixels, unless the pattern sets one in points or in pixels. */
function addPixels(libraries: OutlineLibraries, reader: PatternReader, pattern: number, pixels: number): void {
  if (SIZE_OBJECTS.some((object) => reader.double(pattern, object) !== undefined)) return;
  libraries.fontconfig.addDouble(pattern, 'pixelsize', pixels);
}

/** Normalizes a family as fontconfig does, which ignores case and blanks. */
function plain(family: string): string {
  return family.toLowerCase().replace(/[ -]/g, '');
}
