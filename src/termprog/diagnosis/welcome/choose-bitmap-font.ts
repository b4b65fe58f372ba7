import { openCoreFont } from '../../fonts/core-font.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import { readableLinePixels } from './readable-size.ts';
import type { ScreenFacts } from './screen-facts.ts';

/** Font names without blanks and without signs that are special in a resource file, by height. */
const NAMES = [
  'fixed',
  '8x13',
  '9x15',
  '10x20',
  '12x24',
  '-xos4-terminus-medium-r-normal--28-280-72-72-c-140-iso10646-1',
  '-xos4-terminus-medium-r-normal--32-320-72-72-c-160-iso10646-1',
] as const;

/**
 * Returns the smallest readable one of these fonts that the server has, otherwise the largest. Undefined when it has
 * none of them.
 */
export async function chooseBitmapFont(connection: XConnection, screen: ScreenFacts): Promise<string | undefined> {
  const wanted = readableLinePixels(screen);
  let best: { name: string; height: number } | undefined;
  for (const name of NAMES) {
    const font = await openCoreFont(connection, name);
    if (font === undefined) continue;
    connection.client.CloseFont(font.id);
    const height = font.ascent + font.descent;
    if (best === undefined || (best.height < wanted && height > best.height)) best = { name, height };
  }
  return best?.name;
}
