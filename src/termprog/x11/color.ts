import { DisplayUnavailableError } from '../errors.ts';
import type { XConnection } from './connection.ts';

/** Longer than the name of any colour. */
const NAME_MAX_CHARACTERS = 255;

/** Channels of 8 bits. */
export interface Rgb {
  red: number;
  green: number;
  blue: number;
}

/**
 * A colour by its numbers: `#rgb` with one to four digits a channel, which are its most significant ones, or
 * `rgb:r/g/b`, where the digits are a fraction of the largest number with as many. Undefined for a name; XParseColor(3)
 */
export function parseColor(spec: string): Rgb | undefined {
  const hash = /^#((?:[0-9a-f]{3}){1,4})$/i.exec(spec)?.[1];
  if (hash !== undefined) {
    const digits = hash.length / 3;
    const channel = (index: number): number =>
      Number.parseInt(
        hash
          .slice(index * digits, (index + 1) * digits)
          .padEnd(2, '0')
          .slice(0, 2),
        16,
      );
    return { red: channel(0), green: channel(1), blue: channel(2) };
  }
  const scaled = /^rgb:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})$/i.exec(spec);
  if (scaled === null) return undefined;
  const [red = 0, green = 0, blue = 0] = scaled
    .slice(1)
    .map((digits) => Math.floor((Number.parseInt(digits, 16) * 0xffff) / (16 ** digits.length - 1)) >> 8);
  return { red, green, blue };
}

/** A colour by numbers or by a name the server knows; undefined when it knows none. */
export async function resolveColor(connection: XConnection, spec: string): Promise<Rgb | undefined> {
  const parsed = parseColor(spec);
  if (parsed !== undefined) return parsed;
  if (spec.length > NAME_MAX_CHARACTERS || /[^\0-\u00ff]/.test(spec)) return undefined;
  try {
    const found = await connection.ask<{ exactRed: number; exactGreen: number; exactBlue: number }>(
      `the colour ${spec}`,
      (client, reply) => client.LookupColor(connection.screen.default_colormap, spec, reply),
    );
    return { red: found.exactRed >> 8, green: found.exactGreen >> 8, blue: found.exactBlue >> 8 };
  } catch (error) {
    if (error instanceof DisplayUnavailableError) throw error;
    return undefined;
  }
}
