import type { Rgb } from '../color/parse-color.ts';
import type { Diagnostics } from '../diagnostics.ts';
import type { TextColors } from '../render/palette.ts';
import { resolveColor } from '../x11/color.ts';
import type { XConnection } from '../x11/connection.ts';

const BLACK: Rgb = { red: 0, green: 0, blue: 0 };
const WHITE: Rgb = { red: 255, green: 255, blue: 255 };

/** Values of the toolkit's own colour names; X Toolkit Intrinsics 9.6.1. */
const TOOLKIT_COLORS: ReadonlyMap<string, Rgb> = new Map([
  ['XtDefaultForeground', BLACK],
  ['XtDefaultBackground', WHITE],
]);

/** A colour that a resource names, and the one of its row for when the X server does not know it. */
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
 * The colours as configured, before any reversal. A name that the server does not know is reported, and the default is used.
 * A cursor that has the colour of text is undefined: it follows that colour.
 */
export async function loadTextColors(
  connection: XConnection,
  settings: ColorSettings,
  diagnostics: Diagnostics,
): Promise<TextColors & { border: Rgb }> {
  const known = async (spec: string): Promise<Rgb | undefined> =>
    TOOLKIT_COLORS.get(spec) ?? (await resolveColor(connection, spec));
  const resolve = async (resource: string, spec: string, fallback: () => Promise<Rgb> | Rgb): Promise<Rgb> => {
    const color = await known(spec);
    if (color !== undefined) return color;
    diagnostics.warning(`resource ${resource}: the X server knows no colour "${spec}"; the default is used`);
    return fallback();
  };
  const isTextColored = settings.cursor === 'XtDefaultForeground';
  // Together, so that all answers take one round trip.
  const [foreground, background, border, cursor, ...ansi] = await Promise.all([
    resolve('vt100.foreground', settings.foreground, () => BLACK),
    resolve('background', settings.background, () => WHITE),
    resolve('borderColor', settings.border, () => BLACK),
    isTextColored ? undefined : known(settings.cursor),
    ...settings.palette.map(({ spec, default: fallback }, index) =>
      resolve(`vt100.color${index}`, spec, async () => (await known(fallback)) ?? BLACK),
    ),
  ]);
  if (cursor === undefined && !isTextColored) {
    diagnostics.warning(
      `resource vt100.cursorColor: the X server knows no colour "${settings.cursor}"; the default is used`,
    );
  }
  return { foreground, background, border, cursor, ansi };
}
