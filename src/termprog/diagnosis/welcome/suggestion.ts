import type { Configuration } from '../../configuration.ts';
import type { OpenFaceSource } from '../../fonts/outline/open-face-source.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import type { ConfiguredSlot } from '../configured-slot.ts';
import { chooseBitmapFont } from './choose-bitmap-font.ts';
import { chooseFace } from './choose-face.ts';
import { isSmall, readablePoints } from './readable-size.ts';
import type { ScreenFacts } from './screen-facts.ts';

/** A resource of the text area, and the value it should have. */
export interface SuggestedResource {
  name: 'faceName' | 'faceSize' | 'font' | 'forceBoxChars';
  value: string;
}

export interface Present {
  configuration: Configuration;
  opened: ConfiguredSlot;
  screen: ScreenFacts;
  /** Undefined without outline fonts. */
  source: OpenFaceSource | undefined;
}

/** Resources by which the user chooses a font. */
const FONT_CHOICES: readonly string[] = ['font', 'faceName'];

/** Returns the resources for a readable font; empty when the present one is readable and the user chose it. */
export async function suggest(
  connection: XConnection,
  { configuration, opened, screen, source }: Present,
): Promise<readonly SuggestedResource[]> {
  const { reader, resolved } = configuration;
  const isSet = (name: string): boolean =>
    resolved.some(({ row, origin }) => origin !== undefined && row.name === name);
  const isChosen = FONT_CHOICES.some(isSet);
  const { kind, cell } = opened.slot.fonts;
  const isReadable = !isSmall(cell.height, screen);
  if (isChosen && isReadable && !(opened.wantsOutline && kind === 'bitmap')) return [];
  if (kind === 'outline' && reader.text('faceName') !== undefined) {
    // The user chose the face but not its size. A size in the face's name would win.
    return [{ name: 'faceSize', value: `${readablePoints(screen)}` }];
  }
  const face = source === undefined || reader.text('renderFont') === 'false' ? undefined : chooseFace(source, screen);
  if (face !== undefined) {
    return [
      { name: 'faceName', value: face.family },
      { name: 'faceSize', value: `${face.points}` },
      ...(face.hasLineGaps && !isSet('forceBoxChars') ? [{ name: 'forceBoxChars', value: 'true' } as const] : []),
    ];
  }
  const font = await chooseBitmapFont(connection, screen);
  return font === undefined || font === reader.text('font') ? [] : [{ name: 'font', value: font }];
}
