import type { Face } from '../../../../../src/termprog/fonts/outline/face.ts';
import type { FaceRequest } from '../../../../../src/termprog/fonts/outline/face-source.ts';
import type { OpenFaceSource } from '../../../../../src/termprog/fonts/outline/open-face-source.ts';
import { loadOutlineFonts, type OutlineFonts } from '../../../../../src/termprog/fonts/outline/outline-fonts.ts';
import type { ScreenDefaults } from '../../../../../src/termprog/fonts/outline/xft-defaults.ts';

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
