import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { DOWNLOAD_PIECE_MAX_MS } from '../domain/limits.ts';

/** A file that the browser keeps. It is made while it is sent, so that none of it has to be held. */
export interface Download {
  fileName: string;
  /** The value of `Content-Type`. */
  type: string;
  parts: AsyncIterable<string>;
}

/** The browser has closed the connection, or takes nothing any more: the person does not want the rest. */
const CLOSED_EARLY = 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Sends a file. One that can't be completed ends without its last chunk, so that the browser says that it failed.
 * @param pieceMaxMs how long the browser may take for a part, before it counts as gone
 * @throws Error of the parts
 */
export async function sendDownload(
  req: Request,
  res: Response,
  { fileName, type, parts }: Download,
  pieceMaxMs = DOWNLOAD_PIECE_MAX_MS,
): Promise<void> {
  const rest = parts[Symbol.asyncIterator]();
  // Before the first byte of the answer: what fails here is still answered as a page.
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
