/**
 * A value as JSON that is printed. JSON leaves some control characters as they are, which a terminal would obey: they are
 * escaped.
 */
export const printedJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
