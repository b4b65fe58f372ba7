import { isPattern } from './face-name.ts';
import type { FaceRequest } from './face-source.ts';
import type { PatternReader } from './font-settings.ts';
import { CURRENT_CONFIG, MATCH_PATTERN, SLANT_ITALIC, WEIGHT_BOLD } from './fontconfig.ts';
import type { OutlineLibraries } from './libraries.ts';
import { effectiveDpi, type ScreenDefaults, substituteXftDefaults } from './xft-defaults.ts';

/** The family that is tried behind those of a pattern, as in xterm. */
const LAST_FAMILY = 'mono';

/** Families that stand for others by the user's configuration: what comes instead is what was asked for. */
const GENERIC_FAMILIES: readonly string[] = [
  ...['mono', 'monospace', 'sans', 'sansserif', 'serif', 'cursive', 'fantasy', 'systemui', 'emoji', 'math'],
];

/** Where `size` overrides them, what a pattern may say about its size. */
const SIZE_OBJECTS = ['size', 'pixelsize'] as const;

const POINTS_PER_INCH = 72;

/** A pattern with everything fontconfig needs for finding its font. */
export interface FinishedPattern {
  readonly address: number;
  /** The families that the request names, first the preferred one. */
  readonly families: readonly string[];
}

/**
 * Makes the pattern of a request as xterm does; the caller destroys it. Undefined for text that fontconfig does not
 * understand.
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
  // What is added comes after what the pattern says itself, and counts less.
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

/** Points that a pattern says itself; undefined where it says none above 0. */
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

/** Whether one of a font's families is among those that were asked for. */
export function isNamedFamily(asked: readonly string[], found: readonly string[]): boolean {
  const first = asked[0];
  if (first === undefined || GENERIC_FAMILIES.includes(plain(first))) return true;
  const names = new Set(found.map(plain));
  return asked.some((family) => names.has(plain(family)));
}

/** All families of a pattern or font: one for each language it has a name in. */
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

/** A size in the pattern wins, whether it is in points or in pixels. */
function addPixels(libraries: OutlineLibraries, reader: PatternReader, pattern: number, pixels: number): void {
  if (SIZE_OBJECTS.some((object) => reader.double(pattern, object) !== undefined)) return;
  libraries.fontconfig.addDouble(pattern, 'pixelsize', pixels);
}

/** fontconfig looks neither at case nor at blanks of families. */
function plain(family: string): string {
  return family.toLowerCase().replace(/[ -]/g, '');
}
