import type { Face } from '../../../../../src/termprog/fonts/outline/face.ts';
import type { FaceRequest } from '../../../../../src/termprog/fonts/outline/face-source.ts';
import type { FontSettings } from '../../../../../src/termprog/fonts/outline/font-settings.ts';
import { loadOutlineLibraries } from '../../../../../src/termprog/fonts/outline/libraries.ts';
import { type OutlineEnvironment, openFace } from '../../../../../src/termprog/fonts/outline/open-face.ts';
import type { OpenFaceSource } from '../../../../../src/termprog/fonts/outline/open-face-source.ts';
import { loadOutlineFonts, type OutlineFonts } from '../../../../../src/termprog/fonts/outline/outline-fonts.ts';
import type { ScreenDefaults } from '../../../../../src/termprog/fonts/outline/xft-defaults.ts';
import { NATIVE_LIBRARIES } from '../../../../../src/termprog/native-libraries.ts';

/** Settings that fontconfig gives for an ordinary pattern. */
const PLAIN_SETTINGS: Omit<FontSettings, 'file'> = {
  family: 'Made',
  style: '',
  index: 0,
  pixelSize: 16,
  aspect: 1,
  matrix: { xx: 1, xy: 0, yx: 0, yy: 1 },
  isAntialiased: true,
  isHinted: true,
  hintStyle: 1,
  isAutohinted: false,
  isEmboldened: false,
  usesEmbeddedBitmaps: true,
  usesGlobalAdvance: true,
  rgba: 0,
  lcdFilter: 1,
  spacing: 0,
  isMinimallySpaced: false,
  charWidth: 0,
};

let environment: OutlineEnvironment | undefined;

/** The libraries as they are before the check. */
export function openEnvironment(): OutlineEnvironment {
  if (environment !== undefined) return environment;
  const libraries = loadOutlineLibraries(NATIVE_LIBRARIES, { warning: () => {} });
  const address = new BigUint64Array(1);
  libraries.freetype.init(address);
  environment = { libraries, freetypeLibrary: Number(address[0]) };
  return environment;
}

/** A face of a file that fontconfig does not know. */
export function openFile(file: string, settings: Partial<FontSettings> = {}): Face {
  return openFace(openEnvironment(), { ...PLAIN_SETTINGS, file, ...settings });
}

let fonts: OutlineFonts | undefined;

/** This machine's fonts, for a screen of 100 dots per inch. */
export function openSource(screen: Partial<ScreenDefaults> = {}): OpenFaceSource {
  fonts ??= loadOutlineFonts();
  return fonts.openSource({ dpi: 100, subpixelOrder: 0, resources: {}, ...screen });
}

export const requestOf = (pattern: string, request: Partial<FaceRequest> = {}): FaceRequest => ({
  pattern,
  size: { points: 11 },
  isBold: false,
  isItalic: false,
  ...request,
});

/** The face of a pattern, which is there. */
export function openFont(source: OpenFaceSource, pattern: string, request: Partial<FaceRequest> = {}): Face {
  const candidate = source.match(requestOf(pattern, request));
  if (candidate === undefined) throw new Error(`no font for ${pattern}`);
  return candidate.open();
}
