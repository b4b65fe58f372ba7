import type { Coding } from '../collection/snapshot.ts';

/**
 * Longest header that is parsed. Browsers and scrapers send some tens of characters; a request could hold 64 KiB of
 * separators.
 */
const HEADER_MAX_CHARACTERS = 1_024;

/** The coding to answer in by a request's `Accept-Encoding`. @see RFC 9110 §12.5.3 */
export function codingFor(header: string | undefined): Coding {
  if (header === undefined || header.length > HEADER_MAX_CHARACTERS) return 'identity';
  let weightOfGzip: number | undefined;
  let weightOfOthers = 0;
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    if (name === 'gzip' || name === 'x-gzip') weightOfGzip = weightOf(parameters);
    else if (name === '*') weightOfOthers = weightOf(parameters);
  }
  return (weightOfGzip ?? weightOfOthers) > 0 ? 'gzip' : 'identity';
}

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return weight === undefined ? 1 : Number(weight.slice('q='.length));
}
