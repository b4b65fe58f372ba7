import type { Diagnostics } from '../diagnostics.ts';
import type { TextColors } from '../render/palette.ts';
import { type Rgb, resolveColor } from '../x11/color.ts';
import type { XConnection } from '../x11/connection.ts';

const BLACK: Rgb = { red: 0, green: 0, blue: 0 };
const WHITE: Rgb = { red: 255, green: 255, blue: 255 };

/** What the toolkit's own colour names stand for; X Toolkit Intrinsics 9.6.1. */
const TOOLKIT_COLORS: Readonly<Record<string, Rgb>> = { XtDefaultForeground: BLACK, XtDefaultBackground: WHITE };

export interface ColorSettings {
  foreground: string;
  background: string;
  cursor: string;
  border: string;
  palette: readonly string[];
  reverseVideo: boolean;
}

/** The colours in force. A name the server does not know is told of, and its default is used. */
export async function loadTextColors(
  connection: XConnection,
  settings: ColorSettings,
  diagnostics: Diagnostics,
): Promise<TextColors & { cursor: Rgb; border: Rgb }> {
  const resolve = async (resource: string, spec: string, fallback: Rgb): Promise<Rgb> => {
    const color = TOOLKIT_COLORS[spec] ?? (await resolveColor(connection, spec));
    if (color === undefined) {
      diagnostics.warning(`resource ${resource}: the X server knows no colour "${spec}"; the default is used`);
    }
    return color ?? fallback;
  };
  const [configuredForeground, configuredBackground, border, ...ansi] = await Promise.all([
    resolve('vt100.foreground', settings.foreground, BLACK),
    resolve('background', settings.background, WHITE),
    resolve('borderColor', settings.border, BLACK),
    ...settings.palette.map((spec, index) => resolve(`vt100.color${index}`, spec, index === 0 ? BLACK : WHITE)),
  ]);
  const [foreground, background] = settings.reverseVideo
    ? [configuredBackground, configuredForeground]
    : [configuredForeground, configuredBackground];
  // The default cursor has the colour of text, whatever that is.
  const isTextColored = settings.cursor === 'XtDefaultForeground';
  const cursor = isTextColored ? foreground : await resolve('vt100.cursorColor', settings.cursor, foreground);
  return { foreground, background, border, ansi, cursor };
}
