import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { DOWNLOAD_PIECE_MAX_MS } from '../domain/limits.ts';

/** A file that the browser saves. Its parts are made while it is sent, so that memory never holds the whole file. */
export interface Download {
  fileName: string;
  /** The value of `Content-Type`. */
  type: string;
  parts: AsyncIterable<string>;
}

/**
 * Error code for a browser that has closed the connection, or takes no more data: the person does not want the rest.
 */
const CLOSED_EARLY = 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Sends a file. An incomplete one ends without its last chunk, so that the browser reports a failure.
 * @param pieceMaxMs longest time that the browser may take for a part, before it counts as gone
 * @throws Error of the parts
 */
export async function sendDownload(
  req: Request,
  res: Response,
  { fileName, type, parts }: Download,
  pieceMaxMs = DOWNLOAD_PIECE_MAX_MS,
): Promise<void> {
  const rest = parts[Symbol.asyncIterator]();
  // The first part is awaited before the first byte of the answer, so that a failure here is still answered as a page.
  const first = await rest.next();
  res.attachment(fileName).set('Content-Type', type);
  if (req.method === 'HEAD') {
    await rest.return?.();
    res.end();
    return;
  }
  const deadline = (): NodeJS.Timeout => setTimeout(() => res.destroy(), pieceMaxMs);
  try {
    await pipeline(joined(first, rest, deadline), res);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === CLOSED_EARLY)) throw error;
  }
}

/** @param begin starts the time in which a part must be taken */
async function* joined(
  first: IteratorResult<string>,
  rest: AsyncIterator<string>,
  begin: () => NodeJS.Timeout,
): AsyncGenerator<string> {
  try {
    for (let part = first; part.done !== true; part = await rest.next()) {
      const deadline = begin();
      try {
        yield part.value;
      } finally {
        clearTimeout(deadline);
      }
    }
  } finally {
    await rest.return?.();
  }
}
