import { FaceUnavailableError } from '../../errors.ts';
import { createPattern, type FinishedPattern, familiesOf, isNamedFamily, pointsOf } from './face-pattern.ts';
import { type FaceCandidate, type FaceRequest, type FaceSource, SYSTEM_CANDIDATES_MAX } from './face-source.ts';
import { createPatternReader, type PatternReader, readFontSettings } from './font-settings.ts';
import { CURRENT_CONFIG } from './fontconfig.ts';
import { type OutlineEnvironment, openFace } from './open-face.ts';
import type { ScreenDefaults } from './xft-defaults.ts';

/** Most requests whose sorted fonts are kept; further ones get no candidates. */
const SORTED_LISTS_MAX = 64;

/** Size and offsets of FcFontSet with 64-bit pointers. @see fontconfig.h */
const FONT_SET = { bytes: 16, count: 0, fonts: 8 } as const;

const ADDRESS_BYTES = 8;

/** A source that owns memory of fontconfig. */
export interface OpenFaceSource extends FaceSource {
  /** Size in points that a pattern sets; undefined if it sets none. */
  pointsOf(pattern: string): number | undefined;
  /** Frees the memory; candidates can't be opened any more, while open faces remain usable. */
  close(): void;
}

/** Opens the fonts of this machine for a screen. */
export function openFaceSource(environment: OutlineEnvironment, screen: ScreenDefaults): OpenFaceSource {
  return new FontconfigSource(environment, screen);
}

/** Fonts sorted by how well they fit a pattern. */
interface SortedFonts {
  readonly pattern: FinishedPattern;
  /** Address of the set. */
  readonly set: number;
  readonly fonts: BigUint64Array;
}

/** Finds fonts by fontconfig. It owns the sorted sets, their patterns and the character sets until `close`. */
class FontconfigSource implements OpenFaceSource {
  readonly #environment: OutlineEnvironment;
  readonly #screen: ScreenDefaults;
  readonly #reader: PatternReader;
  readonly #sorted = new Map<string, SortedFonts | undefined>();
  /** Character sets by file and index, which outlive their patterns; there are at most as many as fonts. */
  readonly #charSets = new Map<string, number>();
  #isClosed = false;

  constructor(environment: OutlineEnvironment, screen: ScreenDefaults) {
    this.#environment = environment;
    this.#screen = screen;
    this.#reader = createPatternReader(environment.libraries);
  }

  match(request: FaceRequest): FaceCandidate | undefined {
    const { libraries } = this.#environment;
    const { fontconfig } = libraries;
    const pattern = this.#isClosed ? undefined : createPattern(libraries, this.#reader, request, this.#screen);
    if (pattern === undefined) return undefined;
    const font = fontconfig.match(CURRENT_CONFIG, pattern.address, new Int32Array(1));
    fontconfig.destroyPattern(pattern.address);
    if (font === 0) return undefined;
    const settings = readFontSettings(this.#reader, font);
    const candidate = settings && this.#describe(font, pattern.families, () => openFace(this.#environment, settings));
    fontconfig.destroyPattern(font);
    return candidate;
  }

  *candidates(request: FaceRequest): Iterable<FaceCandidate> {
    const sorted = this.#sort(request);
    if (sorted === undefined) return;
    for (const font of sorted.fonts) {
      if (this.#isClosed) return;
      const candidate = this.#describe(Number(font), sorted.pattern.families, () =>
        this.#openSorted(sorted.pattern.address, Number(font)),
      );
      if (candidate !== undefined) yield candidate;
    }
  }

  pointsOf(pattern: string): number | undefined {
    return pointsOf(this.#environment.libraries, this.#reader, pattern, this.#screen);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { fontconfig } = this.#environment.libraries;
    for (const sorted of this.#sorted.values()) {
      if (sorted === undefined) continue;
      fontconfig.destroySet(sorted.set);
      fontconfig.destroyPattern(sorted.pattern.address);
    }
    for (const charSet of this.#charSets.values()) fontconfig.destroyCharSet(charSet);
    this.#sorted.clear();
    this.#charSets.clear();
  }

  /** @param font address of a font's pattern, which may be destroyed afterwards */
  #describe(font: number, asked: readonly string[], open: FaceCandidate['open']): FaceCandidate | undefined {
    const reader = this.#reader;
    const file = reader.text(font, 'file');
    if (file === undefined) return undefined;
    const index = reader.integer(font, 'index') ?? 0;
    const families = familiesOf(reader, font);
    const charSet = this.#charSetOf(`${index} ${file}`, font);
    return {
      family: families[0] ?? '',
      style: reader.text(font, 'style') ?? '',
      file,
      index,
      hasColor: reader.bool(font, 'color') ?? false,
      hasOutlines: reader.bool(font, 'outline') ?? false,
      isNamedFamily: isNamedFamily(asked, families),
      covers: (codePoint) =>
        charSet !== undefined &&
        !this.#isClosed &&
        this.#environment.libraries.fontconfig.hasCharacter(charSet, codePoint) !== 0,
      open,
    };
  }

  #charSetOf(key: string, font: number): number | undefined {
    const known = this.#charSets.get(key);
    if (known !== undefined) return known;
    const charSet = this.#reader.charSet(font);
    if (charSet === undefined) return undefined;
    const copy = this.#environment.libraries.fontconfig.copyCharSet(charSet);
    this.#charSets.set(key, copy);
    return copy;
  }

  #sort(request: FaceRequest): SortedFonts | undefined {
    if (this.#isClosed) return undefined;
    const key = JSON.stringify(request);
    if (this.#sorted.has(key)) return this.#sorted.get(key);
    if (this.#sorted.size >= SORTED_LISTS_MAX) return undefined;
    const sorted = this.#askForSorted(request);
    this.#sorted.set(key, sorted);
    return sorted;
  }

  #askForSorted(request: FaceRequest): SortedFonts | undefined {
    const { libraries } = this.#environment;
    const { fontconfig, memory } = libraries;
    const pattern = createPattern(libraries, this.#reader, request, this.#screen);
    if (pattern === undefined) return undefined;
    // The sort drops fonts whose characters all occur in earlier ones.
    const set = fontconfig.sort(CURRENT_CONFIG, pattern.address, 1, 0, new Int32Array(1));
    if (set === 0) {
      fontconfig.destroyPattern(pattern.address);
      return undefined;
    }
    const view = new DataView(memory.copy(set, FONT_SET.bytes).buffer);
    const count = Math.min(view.getInt32(FONT_SET.count, true), SYSTEM_CANDIDATES_MAX);
    const fonts = Number(view.getBigUint64(FONT_SET.fonts, true));
    return { pattern, set, fonts: new BigUint64Array(memory.copy(fonts, count * ADDRESS_BYTES).buffer) };
  }

  #openSorted(pattern: number, font: number): ReturnType<FaceCandidate['open']> {
    if (this.#isClosed) throw new FaceUnavailableError('the fonts of this screen are not in use any more');
    const { fontconfig } = this.#environment.libraries;
    const prepared = fontconfig.prepare(CURRENT_CONFIG, pattern, font);
    const settings = prepared === 0 ? undefined : readFontSettings(this.#reader, prepared);
    if (prepared !== 0) fontconfig.destroyPattern(prepared);
    if (settings === undefined) throw new FaceUnavailableError('fontconfig has no settings for the font');
    return openFace(this.#environment, settings);
  }
}
