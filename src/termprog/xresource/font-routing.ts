import type { ResourceReader } from './resource-reader.ts';

/** @spec termprog#limits */
const FALLBACK_FACES = 16;

/** Marks an entry of a list of fonts as a pattern of fontconfig. */
const OUTLINE_PREFIX = /^xft:/i;

/** Reads the resources that choose among the faces of outline fonts. */
export function readFontRouting(reader: ResourceReader) {
  const one = (resource: string) => patterns(resource, [reader.text(resource)]);
  const [, second] = entriesOf(reader.text('faceName'));
  const numbers = Array.from({ length: FALLBACK_FACES }, (_, index) => index + 1);
  return {
    patterns: {
      emoji: one('faceNameEmoji'),
      han: one('faceNameHan'),
      wideBold: outlineEntries(reader, 'wideBoldFont'),
      doublesize: one('faceNameDoublesize'),
      bold: outlineEntries(reader, 'boldFont'),
      fallback: [...patterns('faceName', [second]), ...numbers.flatMap((number) => one(`fallbackFace${number}`))],
      emojiText: one('faceNameEmojiText'),
    },
    emojiPresentation: emojiPresentation(reader),
    colorGlyphs: reader.boolean('colorGlyphs'),
    fitEmojiText: reader.boolean('fitEmojiText'),
    systemFallback: reader.boolean('systemFallback'),
    limitFontsets: reader.number('limitFontsets'),
    limitFontWidth: reader.number('limitFontWidth'),
  };
}

function emojiPresentation(reader: ResourceReader): 'unicode' | 'text' | 'emoji' {
  const value = reader.required('emojiPresentation');
  return value === 'text' || value === 'emoji' ? value : 'unicode';
}

/** Reads the outline entries of a chain, which may also name bitmap fonts. */
function outlineEntries(reader: ResourceReader, resource: string) {
  return patterns(
    resource,
    entriesOf(reader.text(resource)).filter((entry) => OUTLINE_PREFIX.test(entry)),
  );
}

/** Splits entries at commas, except those that a backslash escapes. */
function entriesOf(text: string | undefined): string[] {
  return (text?.match(/(?:\\.|[^,\\])+/gsu) ?? []).map((entry) => entry.trim());
}

/** Drops missing and empty entries. */
function patterns(resource: string, texts: readonly (string | undefined)[]) {
  return texts.flatMap((text) => {
    const pattern = text?.replace(OUTLINE_PREFIX, '').trim();
    return pattern ? [{ resource, pattern }] : [];
  });
}
