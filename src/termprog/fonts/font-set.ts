import type { Diagnostics } from '../diagnostics.ts';
import { FontUnavailableError } from '../errors.ts';
import type { XConnection } from '../x11/connection.ts';
import { askFullName, type CoreFont, type OpenedFont, openCoreFont, quoteFontName } from './core-font.ts';
import { boldNameOf, unicodeNameOf, wideNameOf } from './xlfd.ts';

/** The font every X server has. */
const LAST_RESORT = 'fixed';

/** The fonts of one slot; all have the cell of `normal`, or two of them. */
export interface FontSet {
  normal: CoreFont;
  /** Undefined: bold is drawn twice, one pixel apart. */
  bold: CoreFont | undefined;
  /** Fonts with more characters, for those that the two lack. */
  normalUnicode: CoreFont | undefined;
  boldUnicode: CoreFont | undefined;
  /** For characters two cells wide. */
  wide: CoreFont | undefined;
}

/**
 * Opens the font that the first frame is drawn with, in one round trip.
 * @throws FontUnavailableError when not even `fixed` is there
 */
export async function openFirstFont(
  connection: XConnection,
  name: string,
  diagnostics: Diagnostics,
): Promise<OpenedFont> {
  const font = await openCoreFont(connection, name);
  if (font !== undefined) return font;
  const fallback = await openCoreFont(connection, LAST_RESORT);
  if (fallback === undefined) {
    throw new FontUnavailableError(`the X server has neither the font ${quoteFontName(name)} nor "${LAST_RESORT}"`);
  }
  diagnostics.warning(`resource vt100.font: the X server has no font ${quoteFontName(name)}; "${LAST_RESORT}" is used`);
  return fallback;
}

/** The fonts of a slot whose first font is open. */
export function firstFontSet(first: CoreFont): FontSet {
  return { normal: first, bold: undefined, normalUnicode: undefined, boldUnicode: undefined, wide: undefined };
}

/** Opens the bold form of a slot's font: the one that is named, else the one its full name leads to. */
export async function openBoldFont(
  connection: XConnection,
  first: OpenedFont,
  { bold: name }: { bold: string | undefined },
  diagnostics: Diagnostics,
): Promise<OpenedFont | undefined> {
  const isNamed = name !== undefined && !name.startsWith('xft:');
  const named = isNamed ? await openFitting(connection, first, name) : undefined;
  if (name !== undefined && named === undefined) {
    diagnostics.warning(
      `resource vt100.boldFont: no font ${quoteFontName(name)} with the cell of "${first.name}"; bold is derived`,
    );
  }
  return named ?? openFitting(connection, first, await derive(connection, first, boldNameOf));
}

/** Opens the fonts for characters that a slot's fonts lack: the Unicode forms of both, and the wide one. */
export async function openWiderFonts(
  connection: XConnection,
  { normal, bold }: { normal: OpenedFont; bold: OpenedFont | undefined },
): Promise<Pick<FontSet, 'normalUnicode' | 'boldUnicode' | 'wide'>> {
  const open = async (
    font: OpenedFont | undefined,
    nameOf: (xlfd: string) => string | undefined,
    fits = hasSameCell,
  ): Promise<OpenedFont | undefined> =>
    font && openFitting(connection, normal, await derive(connection, font, nameOf), fits);
  // One after the other: each answer may be a megabyte, behind which frames and keys wait on a slow line.
  const normalUnicode = await open(normal, unicodeNameOf);
  const wide = await open(normal, wideNameOf, fillsTwoCells);
  return { normalUnicode, wide, boldUnicode: await open(bold, unicodeNameOf) };
}

/** A related font, by the full name; undefined when the server gives none. */
async function derive(
  connection: XConnection,
  font: OpenedFont,
  nameOf: (xlfd: string) => string | undefined,
): Promise<string | undefined> {
  const xlfd = await askFullName(connection, font);
  return xlfd === undefined ? undefined : nameOf(xlfd);
}

/** A font that does not fit the slot's cell is closed again. */
async function openFitting(
  connection: XConnection,
  slot: CoreFont,
  name: string | undefined,
  fits = hasSameCell,
): Promise<OpenedFont | undefined> {
  const font = name === undefined ? undefined : await openCoreFont(connection, name);
  if (font === undefined || fits(font, slot)) return font;
  connection.client.CloseFont(font.id);
  return undefined;
}

function hasSameCell(font: CoreFont, as: CoreFont): boolean {
  return font.cellWidth === as.cellWidth && font.ascent === as.ascent && font.descent === as.descent;
}

/** The baseline may lie elsewhere: the height is what must not reach into other rows. */
function fillsTwoCells(font: CoreFont, { cellWidth, ascent, descent }: CoreFont): boolean {
  return font.cellWidth === 2 * cellWidth && font.ascent + font.descent === ascent + descent;
}
