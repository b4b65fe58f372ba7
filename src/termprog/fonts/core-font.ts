import type { FontInfo } from 'x11';
import type { XConnection } from '../x11/connection.ts';

/** A bitmap font that the X server draws with. */
export interface CoreFont {
  id: number;
  /** The name it was asked for by. */
  name: string;
  /** Its full name, where the server tells one. */
  xlfd: string | undefined;
  cellWidth: number;
  ascent: number;
  descent: number;
  /** Whether it has a picture for a code point. */
  has(codePoint: number): boolean;
}

/** Opens a font; undefined when the server has none of that name. */
export async function openCoreFont(connection: XConnection, name: string): Promise<CoreFont | undefined> {
  const id = connection.client.AllocID();
  const isOpen = await connection
    .ask<unknown>(`the font ${name}`, (client, reply) => client.OpenFont(id, name, (error) => reply(error, undefined)))
    .then(
      () => true,
      (error: unknown) => {
        if (connection.isOpen) return false;
        throw error;
      },
    );
  if (!isOpen) {
    connection.client.ReleaseID(id);
    return undefined;
  }
  const info = await connection.ask<FontInfo>(`the metrics of ${name}`, (client, reply) => client.QueryFont(id, reply));
  return {
    id,
    name,
    xlfd: await fullName(connection, info),
    cellWidth: info.maxBounds.characterWidth,
    ascent: info.fontAscent,
    descent: info.fontDescent,
    has: coverageOf(info),
  };
}

async function fullName(connection: XConnection, { properties }: FontInfo): Promise<string | undefined> {
  const atom = connection.client.atoms['FONT'];
  const value = properties.find(({ name }) => name === atom)?.value;
  if (value === undefined) return undefined;
  return connection.ask<string>('the name of a font', (client, reply) => client.GetAtomName(value, reply));
}

/** A character without any metrics is missing; X11 protocol, QueryFont. */
function coverageOf(info: FontInfo): (codePoint: number) => boolean {
  const { minByte1, maxByte1, minCharOrByte2: first, maxCharOrByte2: last, charInfos, allCharsExist } = info;
  const perRow = last - first + 1;
  const covered = charInfos.map(
    (char) =>
      char.characterWidth !== 0 ||
      char.ascent !== 0 ||
      char.descent !== 0 ||
      char.leftSideBearing !== 0 ||
      char.rightSideBearing !== 0,
  );
  return (codePoint) => {
    const row = codePoint >> 8;
    const column = codePoint & 0xff;
    if (row < minByte1 || row > maxByte1 || column < first || column > last) return false;
    return allCharsExist && covered.length === 0
      ? true
      : (covered[(row - minByte1) * perRow + column - first] ?? false);
  };
}
