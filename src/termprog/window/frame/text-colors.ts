import type { Rgb } from '../../color/parse-color.ts';
import type { Diagnostics } from '../../diagnostics.ts';
import type { TextColors } from '../../render/palette.ts';
import { resolveColor } from '../../x11/color.ts';
import type { XConnection } from '../../x11/x-connection.ts';

const BLACK: Rgb = { red: 0, green: 0, blue: 0 };
const WHITE: Rgb = { red: 255, green: 255, blue: 255 };

const TEXT_COLOR = 'xtdefaultforeground';

/** Values of the toolkit's own colour names, which ignore case; X Toolkit Intrinsics 9.6.1. */
const TOOLKIT_COLORS: ReadonlyMap<string, Rgb> = new Map([
  [TEXT_COLOR, BLACK],
  ['xtdefaultbackground', WHITE],
]);

const EXPECTED = 'a name that it knows, such as "red", or numbers, such as #ff0000 or rgb:ff/00/00';

/**
 * Resolves a resource's colour, including the toolkit's own names; undefined for a name that the server does not know.
 */
export async function colorOf(connection: XConnection, spec: string): Promise<Rgb | undefined> {
  return TOOLKIT_COLORS.get(spec.toLowerCase()) ?? (await resolveColor(connection, spec));
}

/** A colour that a resource names, and its row's default for when the X server does not know the name. */
export interface ConfiguredColor {
  spec: string;
  default: string;
}

export interface ColorSettings {
  foreground: string;
  background: string;
  cursor: string;
  border: string;
  palette: readonly ConfiguredColor[];
}

/**
 * Loads the configured colours, before any reversal. A name that the server does not know is reported, and the default
 * is used. The cursor is undefined if it has the colour of text: it then follows that colour.
 */
export async function loadTextColors(
  connection: XConnection,
  settings: ColorSettings,
  diagnostics: Diagnostics,
): Promise<TextColors & { border: Rgb }> {
  const known = (spec: string): Promise<Rgb | undefined> => colorOf(connection, spec);
  const refuse = (resource: string, spec: string): void =>
    diagnostics.warning(
      `resource ${resource}: the X server knows no colour "${spec}"; the default is used; expected ${EXPECTED}`,
    );
  const resolve = async (resource: string, spec: string, fallback: () => Promise<Rgb> | Rgb): Promise<Rgb> => {
    const color = await known(spec);
    if (color !== undefined) return color;
    refuse(resource, spec);
    return fallback();
  };
  const isTextColored = settings.cursor.toLowerCase() === TEXT_COLOR;
  // All answers arrive in one round trip.
  const [foreground, background, border, cursor, ...ansi] = await Promise.all([
    resolve('vt100.foreground', settings.foreground, () => BLACK),
    resolve('background', settings.background, () => WHITE),
    resolve('borderColor', settings.border, () => BLACK),
    isTextColored ? undefined : known(settings.cursor),
    ...settings.palette.map(({ spec, default: fallback }, index) =>
      resolve(`vt100.color${index}`, spec, async () => (await known(fallback)) ?? BLACK),
    ),
  ]);
  if (cursor === undefined && !isTextColored) refuse('vt100.cursorColor', settings.cursor);
  return { foreground, background, border, cursor, ansi };
}
