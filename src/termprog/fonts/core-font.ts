import { DisplayUnavailableError } from '../errors.ts';
import type { XConnection } from '../x11/connection.ts';
import { decodeFontReply } from './font-reply.ts';

/** A bitmap font that the X server draws with. */
export interface CoreFont {
  id: number;
  /** The requested name. */
  name: string;
  /** Its full name, if the server gives one; for the first font it is asked for after the first frame. */
  xlfd: string | undefined;
  cellWidth: number;
  ascent: number;
  descent: number;
  /** Whether ink of some character lies left or right of its cell. */
  overhangs: boolean;
  /**
   * Whether the server tells the metrics of each character. It doesn't where all fill their cells, as they do in a font
   * that it made by scaling another one.
   */
  hasCharacterMetrics: boolean;
  /** Whether it has characters of one cell and of two, and no others. */
  hasWide: boolean;
  /** Widths of characters in pixels, where they differ in another way: each stands in the middle of its cell. */
  widthOf: ((codePoint: number) => number) | undefined;
  /** Whether it has a picture for a code point. */
  has(codePoint: number): boolean;
  /** A bit for each code point that it has a picture for, 32 in a word. */
  covered: Uint32Array;
}

/** A font just opened, whose full name has not been asked for yet. */
export interface OpenedFont extends CoreFont {
  /** Atom of the full name. */
  fullNameAtom: number | undefined;
}

/** Longest name of a font; X Logical Font Description 2.3. */
const NAME_MAX_CHARACTERS = 255;

/** What messages show of a name that is longer. */
const NAME_START_CHARACTERS = 40;

/** Request code of QueryFont; X11 protocol. */
const QUERY_FONT = 47;

/**
 * Opens a font in one round trip: its metrics are asked for before the server has said whether it has it.
 * Undefined when it has no font of that name, or only an unusable one. No font has a
 * name that the protocol can't carry.
 */
export async function openCoreFont(connection: XConnection, name: string): Promise<OpenedFont | undefined> {
  if (name.length > NAME_MAX_CHARACTERS || /[^\0-\u00ff]/.test(name)) return undefined;
  const { client } = connection;
  const id = client.AllocID();
  let isOpen = true;
  client.OpenFont(id, name, (error) => {
    isOpen = error === null || error === undefined;
    return true;
  });
  const request = new Uint8Array(new Uint32Array([QUERY_FONT | (2 << 16), id]).buffer);
  const reply = await connection.askBytes(`the font ${name}`, request).catch((error: unknown) => {
    if (error instanceof DisplayUnavailableError) throw error;
    return undefined;
  });
  const metrics = reply && decodeFontReply(reply);
  if (metrics !== undefined) return { ...metrics, id, name, xlfd: undefined };
  // A server may have the font, and no memory for its description: then the number is in use.
  if (isOpen) client.CloseFont(id);
  else client.ReleaseID(id);
  return undefined;
}

/** A font's name as messages show it. */
export function quoteFontName(name: string): string {
  if (name.length <= NAME_MAX_CHARACTERS) return `"${name}"`;
  return `"${name.slice(0, NAME_START_CHARACTERS)}…" of ${name.length} characters`;
}

/**
 * Asks for the full name of a font, unless it is known or there is none, and keeps it in the font. Undefined when the
 * server does not give one.
 */
export async function askFullName(connection: XConnection, font: OpenedFont): Promise<string | undefined> {
  const { fullNameAtom } = font;
  if (fullNameAtom === undefined || font.xlfd !== undefined) return font.xlfd;
  font.xlfd = await connection
    .ask<string>('the name of a font', (client, reply) => client.GetAtomName(fullNameAtom, reply))
    .catch((error: unknown) => {
      if (error instanceof DisplayUnavailableError) throw error;
      return undefined;
    });
  return font.xlfd;
}
