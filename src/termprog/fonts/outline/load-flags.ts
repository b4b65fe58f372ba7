import type { FontSettings } from './font-settings.ts';
import { HINT_FULL, HINT_NONE, RGBA } from './fontconfig.ts';
import { LOAD, RENDER_MODE } from './freetype.ts';

/** FreeType's flags for loading the glyphs of a face, and its mode for drawing their outlines. */
export interface DrawingMode {
  readonly loadFlags: number;
  readonly renderMode: number;
  /** Whether a pixel's colours are in the order blue, green, red. */
  readonly isBlueFirst: boolean;
}

const HORIZONTAL: readonly number[] = [RGBA.rgb, RGBA.bgr];
const VERTICAL: readonly number[] = [RGBA.vrgb, RGBA.vbgr];

/** Returns the mode that libXft would choose, without vertical writing. @see xftfreetype.c, XftFontInfoFill */
export function drawingModeOf(settings: FontSettings, face: { isScalable: boolean; hasColor: boolean }): DrawingMode {
  let loadFlags = 0;
  if (face.hasColor) loadFlags |= LOAD.color;
  const isTransformed = !isIdentity(settings);
  const isWithoutBitmaps = (!settings.usesEmbeddedBitmaps && settings.isAntialiased) || isTransformed;
  // A face of pictures alone has no outlines to draw instead.
  if (isWithoutBitmaps && face.isScalable && !face.hasColor) loadFlags |= LOAD.noBitmap;
  if (!settings.isHinted || settings.hintStyle === HINT_NONE) loadFlags |= LOAD.noHinting;
  if (settings.isAutohinted) loadFlags |= LOAD.forceAutohint;
  if (!settings.usesGlobalAdvance) loadFlags |= LOAD.ignoreGlobalAdvance;
  loadFlags |= targetOf(settings);
  return {
    loadFlags,
    renderMode: renderModeOf(settings),
    isBlueFirst: settings.rgba === RGBA.bgr || settings.rgba === RGBA.vbgr,
  };
}

export function isIdentity({ matrix }: FontSettings): boolean {
  return matrix.xx === 1 && matrix.xy === 0 && matrix.yx === 0 && matrix.yy === 1;
}

function targetOf({ isAntialiased, hintStyle, rgba }: FontSettings): number {
  if (!isAntialiased) return LOAD.targetMono;
  if (hintStyle > HINT_NONE && hintStyle < HINT_FULL) return LOAD.targetLight;
  if (HORIZONTAL.includes(rgba)) return LOAD.targetLcd;
  return VERTICAL.includes(rgba) ? LOAD.targetLcdVertical : 0;
}

function renderModeOf({ isAntialiased, rgba }: FontSettings): number {
  if (!isAntialiased) return RENDER_MODE.mono;
  if (HORIZONTAL.includes(rgba)) return RENDER_MODE.lcd;
  return VERTICAL.includes(rgba) ? RENDER_MODE.lcdVertical : RENDER_MODE.normal;
}
