// Addresses are uintptr_t, so that they are numbers here. Typed arrays are filled by the functions that get them.

/** The functions of fontconfig that are used. @see fontconfig.h */
export const FONTCONFIG_PROTOTYPES = {
  init: 'int FcInit()',
  parseName: 'uintptr_t FcNameParse(const char *name)',
  isConstant: 'int FcNameConstant(const char *name, int *value)',
  substitute: 'int FcConfigSubstitute(uintptr_t config, uintptr_t pattern, int kind)',
  substituteDefaults: 'void FcDefaultSubstitute(uintptr_t pattern)',
  match: 'uintptr_t FcFontMatch(uintptr_t config, uintptr_t pattern, int *result)',
  sort: 'uintptr_t FcFontSort(uintptr_t config, uintptr_t pattern, int trim, uintptr_t charsets, int *result)',
  destroySet: 'void FcFontSetDestroy(uintptr_t set)',
  prepare: 'uintptr_t FcFontRenderPrepare(uintptr_t config, uintptr_t pattern, uintptr_t font)',
  destroyPattern: 'void FcPatternDestroy(uintptr_t pattern)',
  remove: 'int FcPatternDel(uintptr_t pattern, const char *object)',
  addDouble: 'int FcPatternAddDouble(uintptr_t pattern, const char *object, double value)',
  addInteger: 'int FcPatternAddInteger(uintptr_t pattern, const char *object, int value)',
  addBool: 'int FcPatternAddBool(uintptr_t pattern, const char *object, int value)',
  addString: 'int FcPatternAddString(uintptr_t pattern, const char *object, const char *value)',
  getDouble: 'int FcPatternGetDouble(uintptr_t pattern, const char *object, int n, double *value)',
  getInteger: 'int FcPatternGetInteger(uintptr_t pattern, const char *object, int n, int *value)',
  getBool: 'int FcPatternGetBool(uintptr_t pattern, const char *object, int n, int *value)',
  getString: 'int FcPatternGetString(uintptr_t pattern, const char *object, int n, uint64_t *value)',
  getMatrix: 'int FcPatternGetMatrix(uintptr_t pattern, const char *object, int n, uint64_t *value)',
  getCharSet: 'int FcPatternGetCharSet(uintptr_t pattern, const char *object, int n, uint64_t *value)',
  copyCharSet: 'uintptr_t FcCharSetCopy(uintptr_t charset)',
  destroyCharSet: 'void FcCharSetDestroy(uintptr_t charset)',
  hasCharacter: 'int FcCharSetHasChar(uintptr_t charset, uint32_t codePoint)',
} as const;

/** The current configuration. */
export const CURRENT_CONFIG = 0;

/** Rules for patterns, not for fonts. */
export const MATCH_PATTERN = 0;

/** Result code of a successful lookup. */
export const RESULT_MATCH = 0;

export const WEIGHT_BOLD = 200;
export const SLANT_ITALIC = 100;

/** Every glyph has the same advance; higher values are stricter. */
export const SPACING_MONO = 100;

export const HINT_NONE = 0;
export const HINT_FULL = 3;

/** The order of a pixel's colours; RENDER uses the same numbers. */
export const RGBA = { unknown: 0, rgb: 1, bgr: 2, vrgb: 3, vbgr: 4, none: 5 } as const;

export const LCD_FILTER_DEFAULT = 1;
