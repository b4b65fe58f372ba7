// Addresses are uintptr_t, so that they are numbers here.

/** The functions of FreeType that are used. @see freetype.h */
export const FREETYPE_PROTOTYPES = {
  init: 'int FT_Init_FreeType(uint64_t *library)',
  version: 'void FT_Library_Version(uintptr_t library, int *major, int *minor, int *patch)',
  setLcdFilter: 'int FT_Library_SetLcdFilter(uintptr_t library, int filter)',
  newFace: 'int FT_New_Face(uintptr_t library, const char *file, long index, uint64_t *face)',
  newMemoryFace: 'int FT_New_Memory_Face(uintptr_t library, void *bytes, long size, long index, uint64_t *face)',
  doneFace: 'int FT_Done_Face(uintptr_t face)',
  setCharSize: 'int FT_Set_Char_Size(uintptr_t face, long width, long height, uint32_t xDpi, uint32_t yDpi)',
  selectSize: 'int FT_Select_Size(uintptr_t face, int strike)',
  setTransform: 'void FT_Set_Transform(uintptr_t face, void *matrix, uintptr_t delta)',
  selectCharmap: 'int FT_Select_Charmap(uintptr_t face, uint32_t encoding)',
  charIndex: 'uint32_t FT_Get_Char_Index(uintptr_t face, unsigned long codePoint)',
  variantIndex: 'uint32_t FT_Face_GetCharVariantIndex(uintptr_t face, unsigned long codePoint, unsigned long selector)',
  loadGlyph: 'int FT_Load_Glyph(uintptr_t face, uint32_t glyph, int32_t flags)',
  embolden: 'void FT_GlyphSlot_Embolden(uintptr_t slot)',
  renderGlyph: 'int FT_Render_Glyph(uintptr_t slot, int mode)',
  loadTable:
    'int FT_Load_Sfnt_Table(uintptr_t face, unsigned long tag, long offset, void *bytes, unsigned long *length)',
  colorLayer: 'int FT_Get_Color_Glyph_Layer(uintptr_t face, uint32_t glyph, void *layer, void *color, void *iterator)',
} as const;

/** Bits of a face's flags. */
export const FACE_FLAG = { scalable: 1, fixedSizes: 2, fixedWidth: 4, color: 1 << 14 } as const;

/** Flags for loading a glyph. */
export const LOAD = {
  noHinting: 1 << 1,
  noBitmap: 1 << 3,
  forceAutohint: 1 << 5,
  ignoreGlobalAdvance: 1 << 9,
  color: 1 << 20,
  /** A picture of the file is measured, but not decoded. */
  bitmapMetricsOnly: 1 << 22,
  targetLight: 1 << 16,
  targetMono: 2 << 16,
  targetLcd: 3 << 16,
  targetLcdVertical: 4 << 16,
} as const;

export const RENDER_MODE = { normal: 0, mono: 2, lcd: 3, lcdVertical: 4 } as const;

export const PIXEL_MODE = { mono: 1, gray: 2, lcd: 5, lcdVertical: 6, bgra: 7 } as const;

/** The tag `bits` of a glyph that is already a picture. */
export const GLYPH_FORMAT_BITMAP = 0x62697473;

/** The tag `symb` of a map from codes of symbols. */
export const ENCODING_MS_SYMBOL = 0x73796d62;

/** Offset of codes below 256 in such a map. */
export const SYMBOL_OFFSET = 0xf000;

/** Positions and sizes are in this fraction of a pixel. */
export const UNITS_PER_PIXEL = 64;

/** Factor of the matrix, whose numbers have 16 fractional bits. */
export const MATRIX_ONE = 0x10000;

/** Offsets in FT_FaceRec with 64-bit pointers; the public structures never change. @see freetype.h */
export const FACE = {
  bytes: 176,
  flags: 16,
  glyphCount: 32,
  strikeCount: 56,
  strikes: 64,
  unitsPerEm: 136,
  slot: 152,
  size: 160,
  charmap: 168,
} as const;

/** Offsets in FT_SizeRec. */
export const SIZE = {
  bytes: 80,
  xPpem: 24,
  yPpem: 26,
  ascender: 48,
  descender: 56,
  height: 64,
  maxAdvance: 72,
} as const;

/** Offsets in FT_Bitmap_Size, the element of `strikes`. */
export const STRIKE = { bytes: 32, yPpem: 24 } as const;

/** Offsets in FT_GlyphSlotRec. */
export const SLOT = {
  bytes: 200,
  width: 48,
  height: 56,
  advanceX: 128,
  format: 144,
  rows: 152,
  columns: 156,
  pitch: 160,
  buffer: 168,
  pixelMode: 178,
  left: 192,
  top: 196,
} as const;
