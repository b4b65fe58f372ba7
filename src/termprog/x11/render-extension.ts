import { RequestRefusedError } from '../errors.ts';
import { queryExtension } from './query-extension.ts';
import { decodePictureFormats, type PictureFormats } from './render-formats.ts';
import type { XConnection } from './x-connection.ts';

/** Minor codes; RENDER 0.11. */
const QUERY_VERSION = 0;
const QUERY_PICT_FORMATS = 1;

/** The first version with colours as sources; all servers since 2005 have it. */
const VERSION_NEEDED = { major: 0, minor: 10 } as const;
const VERSION_KNOWN = { major: 0, minor: 11 } as const;

/** The server's extension for blended drawing. */
export interface RenderExtension extends PictureFormats {
  /** First byte of all its requests. */
  majorOpcode: number;
}

/** Reason for a missing extension, as a part of a sentence. */
export interface RenderMissing {
  reason: string;
}

/**
 * Queries the RENDER extension, in two round trips.
 * @throws DisplayUnavailableError when the server goes away
 */
export async function openRenderExtension(connection: XConnection): Promise<RenderExtension | RenderMissing> {
  try {
    return await ask(connection);
  } catch (error) {
    if (error instanceof RequestRefusedError) return { reason: error.message };
    throw error;
  }
}

async function ask(connection: XConnection): Promise<RenderExtension | RenderMissing> {
  const extension = await queryExtension(connection, 'RENDER');
  if (extension === undefined) return { reason: 'the X server has no RENDER extension' };
  const { majorOpcode } = extension;
  const { major, minor } = VERSION_KNOWN;
  const version = new Uint32Array([majorOpcode | (QUERY_VERSION << 8) | (3 << 16), major, minor]);
  const formats = new Uint32Array([majorOpcode | (QUERY_PICT_FORMATS << 8) | (1 << 16)]);
  const [supported, found] = await Promise.all([
    connection.askPacked('the version of RENDER', new Uint8Array(version.buffer), (body) => ({
      major: body.readUInt32LE(0),
      minor: body.readUInt32LE(4),
    })),
    connection.askPacked('the formats of pictures', new Uint8Array(formats.buffer), decodePictureFormats),
  ]);
  if (supported.major === VERSION_NEEDED.major && supported.minor < VERSION_NEEDED.minor) {
    const needed = `${VERSION_NEEDED.major}.${VERSION_NEEDED.minor}`;
    return { reason: `the X server has RENDER ${supported.major}.${supported.minor}; ${needed} is needed` };
  }
  if (found === undefined) return { reason: 'the X server has no pictures of 8 and 32 bits' };
  return { majorOpcode, ...found };
}
