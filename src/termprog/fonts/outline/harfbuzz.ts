// Addresses are uintptr_t, so that they are numbers here.

/** The functions of HarfBuzz that are used. @see hb.h */
export const HARFBUZZ_PROTOTYPES = {
  blobOfFile: 'uintptr_t hb_blob_create_from_file(const char *file)',
  destroyBlob: 'void hb_blob_destroy(uintptr_t blob)',
  createFace: 'uintptr_t hb_face_create(uintptr_t blob, uint32_t index)',
  destroyFace: 'void hb_face_destroy(uintptr_t face)',
  createFont: 'uintptr_t hb_font_create(uintptr_t face)',
  destroyFont: 'void hb_font_destroy(uintptr_t font)',
  setScale: 'void hb_font_set_scale(uintptr_t font, int x, int y)',
  setInstance: 'void hb_font_set_var_named_instance(uintptr_t font, uint32_t instance)',
  createBuffer: 'uintptr_t hb_buffer_create()',
  destroyBuffer: 'void hb_buffer_destroy(uintptr_t buffer)',
  clearContents: 'void hb_buffer_clear_contents(uintptr_t buffer)',
  setFlags: 'void hb_buffer_set_flags(uintptr_t buffer, int flags)',
  addCodePoints: 'void hb_buffer_add_codepoints(uintptr_t buffer, void *text, int length, uint32_t start, int count)',
  guessProperties: 'void hb_buffer_guess_segment_properties(uintptr_t buffer)',
  shape: 'void hb_shape(uintptr_t font, uintptr_t buffer, uintptr_t features, uint32_t count)',
  advanceOf: 'int hb_font_get_glyph_h_advance(uintptr_t font, uint32_t glyph)',
  glyphInfos: 'uintptr_t hb_buffer_get_glyph_infos(uintptr_t buffer, uint32_t *length)',
  glyphPositions: 'uintptr_t hb_buffer_get_glyph_positions(uintptr_t buffer, uint32_t *length)',
} as const;

/** Removes the glyphs of joiners and selectors. */
export const REMOVE_DEFAULT_IGNORABLES = 0x8;

/** Size and offsets of hb_glyph_info_t. */
export const GLYPH_INFO = { bytes: 20, glyph: 0 } as const;

/** Size and offsets of hb_glyph_position_t. */
export const GLYPH_POSITION = { bytes: 20, advanceX: 0, advanceY: 4, offsetX: 8, offsetY: 12 } as const;
