import type { Diagnostics } from '../diagnostics.ts';
import { FontUnavailableError } from '../errors.ts';
import type { XConnection } from '../x11/connection.ts';
import { type CoreFont, openCoreFont } from './core-font.ts';
import { boldNameOf, unicodeNameOf, wideNameOf } from './xlfd.ts';

/** The font every X server has. */
const LAST_RESORT = 'fixed';

/** The fonts of one slot; all have the cell of `normal`, or two of them. */
export interface FontSet {
  normal: CoreFont;
  /** Undefined: bold is drawn twice, one pixel apart. */
  bold: CoreFont | undefined;
  /** Wider coverage, for what the two lack. */
  normalUnicode: CoreFont | undefined;
  boldUnicode: CoreFont | undefined;
  /** For characters two cells wide. */
  wide: CoreFont | undefined;
}

/**
 * Opens the fonts of a slot: the one named, its bold form, the Unicode forms of both, and the wide one.
 * @throws FontUnavailableError when not even `fixed` is there
 */
export async function openFontSet(
  connection: XConnection,
  { normal: name, bold: boldName }: { normal: string; bold: string | undefined },
  diagnostics: Diagnostics,
): Promise<FontSet> {
  const normal = await openNormal(connection, name, diagnostics);
  const named = async (
    wanted: string | undefined,
    fits: (font: CoreFont, as: CoreFont) => boolean = hasSameCell,
  ): Promise<CoreFont | undefined> => {
    const font = wanted === undefined ? undefined : await openCoreFont(connection, wanted);
    return font !== undefined && fits(font, normal) ? font : undefined;
  };
  const derived = (font: CoreFont | undefined, nameOf: (xlfd: string) => string | undefined): string | undefined =>
    font?.xlfd === undefined ? undefined : nameOf(font.xlfd);
  const explicitBold = boldName === undefined || boldName.startsWith('xft:') ? undefined : await named(boldName);
  if (boldName !== undefined && explicitBold === undefined) {
    diagnostics.warning(
      `resource vt100.boldFont: no font "${boldName}" with the cell of "${normal.name}"; bold is derived`,
    );
  }
  const bold = explicitBold ?? (await named(derived(normal, boldNameOf)));
  return {
    normal,
    bold,
    normalUnicode: await named(derived(normal, unicodeNameOf)),
    boldUnicode: await named(derived(bold, unicodeNameOf)),
    wide: await named(derived(normal, wideNameOf), fillsTwoCells),
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

/** The baseline may lie elsewhere: the height is what must not reach into other rows. */
function fillsTwoCells(font: CoreFont, { cellWidth, ascent, descent }: CoreFont): boolean {
  return font.cellWidth === 2 * cellWidth && font.ascent + font.descent === ascent + descent;
}
