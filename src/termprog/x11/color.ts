import { isNumericForm, parseColor, type Rgb } from '../color/parse-color.ts';
import { DisplayUnavailableError } from '../errors.ts';
import type { XConnection } from './x-connection.ts';

/** Longer than any colour's name. */
const NAME_MAX_CHARACTERS = 255;

/** Resolves a colour from numbers or from a name; undefined when the server does not know the name. */
export async function resolveColor(connection: XConnection, spec: string): Promise<Rgb | undefined> {
  const parsed = parseColor(spec);
  if (parsed !== undefined || !isColorName(spec)) return parsed;
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

/**
 * Whether the server can look up the name. Texts with a prefix are not names, and a longer one does not fit into a
 * request.
 */
export function isColorName(spec: string): boolean {
  const isLatin1 = /^[\0-\u00ff]*$/.test(spec);
  return spec !== '' && spec.length <= NAME_MAX_CHARACTERS && isLatin1 && !isNumericForm(spec);
}
