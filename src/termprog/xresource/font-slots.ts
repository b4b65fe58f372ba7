import { FONT_ENTRIES } from '../../../schemas/termprog/fonts.ts';

/** Reads the values of resources. */
interface SlotReader {
  required(name: string): string;
  number(name: string): number;
}

/** The configured fonts of one entry of the VT Fonts menu; its number is its position in the menu. */
export interface FontSlot {
  readonly number: number;
  /** Name in the menu. */
  readonly entry: string;
  /** Resource of the bitmap font, for messages. */
  readonly resource: string;
  /** Name of the bitmap font. */
  readonly font: string;
  /** Point size under the outline renderer; 0 derives it from the bitmap font. */
  readonly faceSize: number;
}

/** Reads the entries from the resources, numbered from 0. */
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
