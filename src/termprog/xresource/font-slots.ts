import { FONT_ENTRIES } from '../../../schemas/termprog/fonts.ts';

/** What it reads the values of resources with. */
interface SlotReader {
  required(name: string): string;
  number(name: string): number;
}

/** What one entry of the VT Fonts menu draws with, as it is configured; its number is its place in the menu. */
export interface FontSlot {
  readonly number: number;
  /** Its name in the menu. */
  readonly entry: string;
  /** Resource of the bitmap font, for messages. */
  readonly resource: string;
  /** Name of the bitmap font. */
  readonly font: string;
  /** Point size under the outline renderer; 0 derives it from the bitmap font. */
  readonly faceSize: number;
}

/** The entries as the resources have them, numbered from 0. */
export function readFontSlots(reader: SlotReader): readonly FontSlot[] {
  return FONT_ENTRIES.map((entry, number) => {
    const suffix = number === 0 ? '' : `${number}`;
    return {
      number,
      entry,
      resource: `vt100.font${suffix}`,
      font: reader.required(`font${suffix}`),
      faceSize: reader.number(`faceSize${suffix}`),
    };
  });
}
