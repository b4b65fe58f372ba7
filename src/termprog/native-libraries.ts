/**
 * The system's libraries for outline fonts, as the dynamic linker finds them. Packages replace them by absolute paths
 * on systems where libraries have no common folder.
 */
export const NATIVE_LIBRARIES = {
  /** Finds fonts. */
  fontconfig: 'libfontconfig.so.1',
  /** Draws their glyphs. */
  freetype: 'libfreetype.so.6',
  /** Places the glyphs of clusters; loaded when the first one is drawn. */
  harfbuzz: 'libharfbuzz.so.0',
} as const;

/** Names or absolute paths of the three libraries. */
export type NativeLibraries = Readonly<Record<keyof typeof NATIVE_LIBRARIES, string>>;
