import type { XConnection } from '../x11/x-connection.ts';
import { type CellMetrics, cellMetricsOf } from './cell-metrics.ts';
import { askFontName, NAME_MAX_CHARACTERS, openFont } from './open-font.ts';

/** A bitmap font that the X server draws with; characters of other widths are centred in their cells. */
export interface CoreFont extends CellMetrics {
  id: number;
  /** The requested name. */
  name: string;
  /** Full name, if the server provides one; for the first font it is requested after the first frame. */
  xlfd: string | undefined;
}

/** A newly opened font whose full name has not been requested yet. */
export interface OpenedFont extends CoreFont {
  /** Atom of the full name. */
  fullNameAtom: number | undefined;
}

/** Characters of a longer name that messages show. */
const NAME_START_CHARACTERS = 40;

/** Opens a font that draws text in cells; undefined when the server has no such font, or only an unusable one. */
export async function openCoreFont(connection: XConnection, name: string): Promise<OpenedFont | undefined> {
  const font = await openFont(connection, name, cellMetricsOf);
  return font && { ...font.metrics, id: font.id, fullNameAtom: font.fullNameAtom, name, xlfd: undefined };
}

/** Formats a font's name for messages. */
export function quoteFontName(name: string): string {
  if (name.length <= NAME_MAX_CHARACTERS) return `"${name}"`;
  return `"${name.slice(0, NAME_START_CHARACTERS)}…" of ${name.length} characters`;
}

/**
 * Requests the full name of a font, unless it is known or has no atom, and stores it in the font. Undefined when the
 * server does not provide one.
 */
export async function askFullName(connection: XConnection, font: OpenedFont): Promise<string | undefined> {
  const { fullNameAtom } = font;
  if (fullNameAtom === undefined || font.xlfd !== undefined) return font.xlfd;
  font.xlfd = await askFontName(connection, fullNameAtom);
  return font.xlfd;
}
