import type { Diagnostics } from '../diagnostics.ts';
import { FontUnavailableError } from '../errors.ts';
import type { XConnection } from '../x11/x-connection.ts';
import { askFullName, type CoreFont, type OpenedFont, openCoreFont, quoteFontName } from './core-font.ts';
import { bitmapFontsIn } from './font-list.ts';
import { boldNameOf, unicodeNameOf, wideNameOf } from './xlfd.ts';

/** The font that every X server has. */
const LAST_RESORT = 'fixed';

/** The fonts of one slot; all have the cell of `normal`, or two of them. */
export interface FontSet {
  normal: CoreFont;
  /** If undefined, bold text is drawn twice, one pixel apart. */
  bold: CoreFont | undefined;
  /** Fonts with more characters, for those that the two lack. */
  normalUnicode: CoreFont | undefined;
  boldUnicode: CoreFont | undefined;
  /** Font for characters two cells wide. */
  wide: CoreFont | undefined;
  /**
   * A named font only. It is not derived: servers scale any font of that weight for it, which shows an empty box for
   * each character.
   */
  wideBold: CoreFont | undefined;
}

/** Chains of fonts that the user names for a slot; if undefined, the fonts are derived. */
export interface StyleFonts {
  readonly bold: string | undefined;
  readonly wideBold: string | undefined;
}

/** No named fonts. */
export const NO_STYLES: StyleFonts = { bold: undefined, wideBold: undefined };

/**
 * Opens the font of the first frame, in one round trip.
 * @throws FontUnavailableError when even `fixed` is missing
 */
export async function openFirstFont(
  connection: XConnection,
  name: string,
  diagnostics: Pick<Diagnostics, 'warning'>,
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

/** Returns the fonts of a slot whose first font is open. */
export function firstFontSet(first: CoreFont): FontSet {
  return {
    normal: first,
    bold: undefined,
    normalUnicode: undefined,
    boldUnicode: undefined,
    wide: first.hasWide ? first : undefined,
    wideBold: undefined,
  };
}

/**
 * Opens the bold form of a slot's font: the first named one that fits, otherwise the one derived from the full name.
 */
export async function openBoldFont(
  connection: XConnection,
  first: OpenedFont,
  { bold: chain }: StyleFonts,
  diagnostics: Diagnostics,
): Promise<OpenedFont | undefined> {
  const named = await openNamed(connection, first, { chain, resource: 'boldFont', fits: hasSameCell }, diagnostics);
  return named ?? openFitting(connection, first, await derive(connection, first, boldNameOf), isOfSameMaking);
}

/**
 * Opens the fonts for characters that a slot's fonts lack: the Unicode forms of both, and the wide ones. They are
 * opened one after the other: each answer may be a megabyte, which delays frames and keys on a slow line.
 */
export async function openWiderFonts(
  connection: XConnection,
  { normal, bold }: { normal: OpenedFont; bold: OpenedFont | undefined },
  { wideBold: chain }: StyleFonts,
  diagnostics: Diagnostics,
): Promise<Pick<FontSet, 'normalUnicode' | 'boldUnicode' | 'wide' | 'wideBold'>> {
  const open = async (
    font: OpenedFont | undefined,
    nameOf: (xlfd: string) => string | undefined,
    fits = isOfSameMaking,
  ): Promise<OpenedFont | undefined> =>
    font && openFitting(connection, normal, await derive(connection, font, nameOf), fits);
  const normalUnicode = await open(normal, unicodeNameOf);
  const both = [normal, normalUnicode].find((font) => font?.hasWide);
  const wide = both ?? (await open(normal, wideNameOf, fillsTwoCells));
  const boldUnicode = await open(bold, unicodeNameOf);
  const wideBold = await openNamed(
    connection,
    normal,
    { chain, resource: 'wideBoldFont', fits: fillsTwoCells },
    diagnostics,
  );
  return { normalUnicode, wide, boldUnicode, wideBold };
}

/** Closes fonts, each once, except those that are among `others`. */
export function closeFonts(connection: XConnection, fonts: Partial<FontSet>, others: Partial<FontSet> = {}): void {
  if (!connection.isOpen) return;
  const kept = idsOf(others);
  for (const id of idsOf(fonts)) if (!kept.has(id)) connection.client.CloseFont(id);
}

function idsOf(fonts: Partial<FontSet>): Set<number> {
  return new Set(Object.values(fonts).flatMap((font: CoreFont | undefined) => (font === undefined ? [] : [font.id])));
}

/** Opens the first font of a chain that fits; one line reports a chain in which no name fits. */
async function openNamed(
  connection: XConnection,
  slot: CoreFont,
  { chain, resource, fits }: { chain: string | undefined; resource: string; fits: typeof hasSameCell },
  diagnostics: Diagnostics,
): Promise<OpenedFont | undefined> {
  const names = bitmapFontsIn(chain);
  for (const name of names) {
    const font = await openFitting(connection, slot, name, fits);
    if (font !== undefined) return font;
  }
  if (names.length > 0) {
    const [first = ''] = names;
    const shown = quoteFontName(first) + (names.length === 1 ? '' : ` or ${names.length - 1} more`);
    const cells = resource === 'boldFont' ? 'the cell' : 'two cells';
    diagnostics.warning(
      `resource vt100.${resource}: no font ${shown} with ${cells} of "${slot.name}"; bold is derived`,
    );
  }
  return undefined;
}

/** Returns the name of a related font, derived from the full name; undefined when the server provides no full name. */
async function derive(
  connection: XConnection,
  font: OpenedFont,
  nameOf: (xlfd: string) => string | undefined,
): Promise<string | undefined> {
  const xlfd = await askFullName(connection, font);
  return xlfd === undefined ? undefined : nameOf(xlfd);
}

/** Opens a font, and closes it again if it does not fit the slot's cell. */
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

/** Overstriking looks better than the bold of a scaled font; the reference terminal refuses it, too. */
function isOfSameMaking(font: CoreFont, as: CoreFont): boolean {
  return hasSameCell(font, as) && font.hasCharacterMetrics === as.hasCharacterMetrics;
}

function hasSameCell(font: CoreFont, as: CoreFont): boolean {
  return font.cellWidth === as.cellWidth && font.ascent === as.ascent && font.descent === as.descent;
}

/** The baseline may differ: only the height must not reach into other rows. */
function fillsTwoCells(font: CoreFont, { cellWidth, ascent, descent }: CoreFont): boolean {
  return font.cellWidth === 2 * cellWidth && font.ascent + font.descent === ascent + descent;
}
