import { DisplayUnavailableError } from '../errors.ts';
import type { XConnection } from '../x11/x-connection.ts';
import { type FontReply, readFontReply } from './font-reply.ts';

/** Longest name of a font; X Logical Font Description 2.3. */
export const NAME_MAX_CHARACTERS = 255;

/** Request code of QueryFont; X11 protocol. */
const QUERY_FONT = 47;

/**
 * Opens a font in one round trip: its metrics are requested before the server has confirmed that it exists. Undefined
 * when the font does not exist, when `read` rejects it, and for a name that the protocol can't carry.
 */
export async function openFont<Metrics>(
  connection: XConnection,
  name: string,
  read: (reply: FontReply) => Metrics | undefined,
): Promise<{ id: number; metrics: Metrics; fullNameAtom: number | undefined } | undefined> {
  if (name.length > NAME_MAX_CHARACTERS || /[^\0-\u00ff]/.test(name)) return undefined;
  const { client } = connection;
  const id = client.AllocID();
  let isOpen = true;
  client.OpenFont(id, name, (error) => {
    isOpen = error === null || error === undefined;
    return true;
  });
  const request = new Uint8Array(new Uint32Array([QUERY_FONT | (2 << 16), id]).buffer);
  const bytes = await connection.askBytes(`the font ${name}`, request).catch(unlessLost);
  const reply = bytes && readFontReply(bytes);
  const metrics = reply && read(reply);
  if (reply !== undefined && metrics !== undefined) return { id, metrics, fullNameAtom: reply.fullNameAtom };
  // A server may have opened the font and lack memory for its description: its id is then in use.
  if (isOpen) client.CloseFont(id);
  else client.ReleaseID(id);
  return undefined;
}

/** Requests the full name of a font by its atom; undefined when the server refuses. */
export function askFontName(connection: XConnection, atom: number): Promise<string | undefined> {
  return connection
    .ask<string>('the name of a font', (client, reply) => client.GetAtomName(atom, reply))
    .catch(unlessLost);
}

function unlessLost(error: unknown): undefined {
  if (error instanceof DisplayUnavailableError) throw error;
  return undefined;
}
