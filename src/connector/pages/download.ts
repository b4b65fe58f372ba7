import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';

/** A file that the browser keeps. It is made while it is sent, so that none of it has to be held. */
export interface Download {
  fileName: string;
  /** The value of `Content-Type`. */
  type: string;
  parts: AsyncIterable<string>;
}

/** The browser has closed the connection: the person does not want the rest. */
const CLOSED_EARLY = 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Sends a file. One that can't be completed ends without its last chunk, so that the browser says that it failed.
 * @throws Error of the parts
 */
export async function sendDownload(req: Request, res: Response, { fileName, type, parts }: Download): Promise<void> {
  const rest = parts[Symbol.asyncIterator]();
  // Before the first byte of the answer: what fails here is still answered as a page.
  const first = await rest.next();
  res.attachment(fileName).set('Content-Type', type);
  if (req.method === 'HEAD') {
    await rest.return?.();
    res.end();
    return;
  }
  try {
    await pipeline(joined(first, rest), res);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === CLOSED_EARLY)) throw error;
  }
}

async function* joined(first: IteratorResult<string>, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    for (let part = first; part.done !== true; part = await rest.next()) yield part.value;
  } finally {
    await rest.return?.();
  }
}
