import { cellSizeOf } from '../../fonts/outline/cell-size.ts';
import type { FaceSource } from '../../fonts/outline/face-source.ts';
import { hasLineGaps } from './line-gaps.ts';
import { readablePoints } from './readable-size.ts';
import type { ScreenFacts } from './screen-facts.ts';

/** An outline font to suggest. */
export interface SuggestedFace {
  family: string;
  points: number;
  /** Whether lines of boxes have gaps between rows. */
  hasLineGaps: boolean;
}

/** The system's default for monospaced text comes first; the others are common, and legible. */
const FAMILIES = [
  'monospace',
  'DejaVu Sans Mono',
  'Noto Sans Mono',
  'Liberation Mono',
  'Source Code Pro',
  'JetBrains Mono',
  'Hack',
  'Fira Mono',
  'Cascadia Mono',
  'Ubuntu Mono',
  'Adwaita Mono',
];

/** Characters that a terminal's primary face should have. */
const NEEDED = 'aZ09éß€─│┼';

/** Other names would need escapes, which differ between fontconfig, resource files and preprocessors. */
const PLAIN_NAME = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;

/** The usual first screen, which should fit. */
const COLUMNS = 80;
const ROWS = 24;

/** Smallest suggested size, however small the screen is. */
const POINTS_LEAST = 8;

/** Returns the first installed monospaced family that suits a terminal. Undefined when there is no such family. */
export function chooseFace(source: FaceSource, screen: ScreenFacts): SuggestedFace | undefined {
  for (const pattern of FAMILIES) {
    const family = familyOf(source, pattern);
    const points = family === undefined ? undefined : fittingPoints(source, family, screen);
    if (family !== undefined && points !== undefined)
      return { family, points, hasLineGaps: hasGapsAt(source, family, points) };
  }
  return undefined;
}

const ask = (source: FaceSource, pattern: string, points: number) =>
  source.match({ pattern, size: { points }, isBold: false, isItalic: false, isPrimary: true });

/** Returns the family of a pattern, if that name selects it and it suits a terminal. */
function familyOf(source: FaceSource, pattern: string): string | undefined {
  const found = ask(source, pattern, POINTS_LEAST);
  if (found === undefined || !found.isNamedFamily || !found.hasOutlines || !PLAIN_NAME.test(found.family)) {
    return undefined;
  }
  if (![...NEEDED].every((character) => found.covers(character.codePointAt(0) ?? 0))) return undefined;
  return ask(source, found.family, POINTS_LEAST)?.file === found.file ? found.family : undefined;
}

function hasGapsAt(source: FaceSource, family: string, points: number): boolean {
  const face = ask(source, family, points)?.open();
  if (face === undefined) return false;
  const hasGaps = hasLineGaps(face);
  face.close();
  return hasGaps;
}

/** Returns the readable size, or the largest smaller one with which 80x24 cells fit the screen. */
function fittingPoints(source: FaceSource, family: string, screen: ScreenFacts): number | undefined {
  for (let points = readablePoints(screen); points >= POINTS_LEAST; points -= 1) {
    const face = ask(source, family, points)?.open();
    if (face === undefined) return undefined;
    const { isMonospaced } = face;
    const { width, height } = cellSizeOf(face);
    face.close();
    if (!isMonospaced) return undefined;
    if (width * COLUMNS <= screen.widthPixels && height * ROWS <= screen.heightPixels) return points;
  }
  return POINTS_LEAST;
}
