import type { Diagnostics } from '../diagnostics.ts';
import { FontUnavailableError } from '../errors.ts';
import type { XConnection } from '../x11/connection.ts';
import { type CoreFont, openCoreFont } from './core-font.ts';
import { boldNameOf, unicodeNameOf } from './xlfd.ts';

/** The font every X server has. */
const LAST_RESORT = 'fixed';

/** The fonts of one slot; all have the cell of `normal`. */
export interface FontSet {
  normal: CoreFont;
  /** Undefined: bold is drawn twice, one pixel apart. */
  bold: CoreFont | undefined;
  /** Wider coverage, for what the two lack. */
  normalUnicode: CoreFont | undefined;
  boldUnicode: CoreFont | undefined;
}

/**
 * Opens the fonts of a slot: the one named, its bold form, and the Unicode forms of both.
 * @throws FontUnavailableError when not even `fixed` is there
 */
export async function openFontSet(
  connection: XConnection,
  { normal: name, bold: boldName }: { normal: string; bold: string | undefined },
  diagnostics: Diagnostics,
): Promise<FontSet> {
  const normal = await openNormal(connection, name, diagnostics);
  const named = async (wanted: string | undefined): Promise<CoreFont | undefined> => {
    const font = wanted === undefined ? undefined : await openCoreFont(connection, wanted);
    return font !== undefined && hasSameCell(font, normal) ? font : undefined;
  };
  const explicitBold = boldName === undefined || boldName.startsWith('xft:') ? undefined : await named(boldName);
  if (boldName !== undefined && explicitBold === undefined) {
    diagnostics.warning(
      `resource vt100.boldFont: no font "${boldName}" with the cell of "${normal.name}"; bold is derived`,
    );
  }
  const derivedBold = normal.xlfd === undefined ? undefined : boldNameOf(normal.xlfd);
  const bold = explicitBold ?? (await named(derivedBold));
  return {
    normal,
    bold,
    normalUnicode: await named(normal.xlfd === undefined ? undefined : unicodeNameOf(normal.xlfd)),
    boldUnicode: await named(bold?.xlfd === undefined ? undefined : unicodeNameOf(bold.xlfd)),
  };
}

async function openNormal(connection: XConnection, name: string, diagnostics: Diagnostics): Promise<CoreFont> {
  const font = await openCoreFont(connection, name);
  if (font !== undefined && font.cellWidth > 0) return font;
  const fallback = await openCoreFont(connection, LAST_RESORT);
  if (fallback === undefined) {
    throw new FontUnavailableError(`the X server has neither the font "${name}" nor "${LAST_RESORT}"`);
  }
  diagnostics.warning(`resource vt100.font: the X server has no font "${name}"; "${LAST_RESORT}" is used`);
  return fallback;
}

function hasSameCell(font: CoreFont, as: CoreFont): boolean {
  return font.cellWidth === as.cellWidth && font.ascent === as.ascent && font.descent === as.descent;
}
