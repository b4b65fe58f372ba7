import type { XConnection } from '../x11/connection.ts';
import { type CellMetrics, cellMetricsOf } from './cell-metrics.ts';
import { askFontName, NAME_MAX_CHARACTERS, openFont } from './open-font.ts';

/** A bitmap font that the X server draws with; characters of other widths than its cells stand in the middle of theirs. */
export interface CoreFont extends CellMetrics {
  id: number;
  /** The requested name. */
  name: string;
  /** Its full name, if the server gives one; for the first font it is asked for after the first frame. */
  xlfd: string | undefined;
}

/** A font just opened, whose full name has not been asked for yet. */
export interface OpenedFont extends CoreFont {
  /** Atom of the full name. */
  fullNameAtom: number | undefined;
}

/** What messages show of a name that is longer. */
const NAME_START_CHARACTERS = 40;

/** Opens a font that draws text in cells; undefined when the server has none of that name, or only an unusable one. */
export async function openCoreFont(connection: XConnection, name: string): Promise<OpenedFont | undefined> {
  const font = await openFont(connection, name, cellMetricsOf);
  return font && { ...font.metrics, id: font.id, fullNameAtom: font.fullNameAtom, name, xlfd: undefined };
}

/** A font's name as messages show it. */
export function quoteFontName(name: string): string {
  if (name.length <= NAME_MAX_CHARACTERS) return `"${name}"`;
  return `"${name.slice(0, NAME_START_CHARACTERS)}…" of ${name.length} characters`;
}

/**
 * Asks for the full name of a font, unless it is known or there is none, and keeps it in the font. Undefined when the
 * server does not give one.
 */
export async function askFullName(connection: XConnection, font: OpenedFont): Promise<string | undefined> {
  const { fullNameAtom } = font;
  if (fullNameAtom === undefined || font.xlfd !== undefined) return font.xlfd;
  font.xlfd = await askFontName(connection, fullNameAtom);
  return font.xlfd;
}
