/**
 * The module is loaded with the first token that is compared, because it would cost several milliseconds of a start.
 */
const crypto = () => process.getBuiltinModule('node:crypto');

/** Token of an `Authorization: Bearer TOKEN` header, undefined for any other header; the scheme is case-insensitive. @see RFC 6750 §2.1 */
export function bearerToken(header: string | undefined): string | undefined {
  return /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header?.trim() ?? '')?.[1];
}

/** Returns a function that compares a presented secret of any length in constant time. */
export function secretMatcher(secret: string): (presented: string | undefined) => boolean {
  const digest = (text: string): Buffer => crypto().hash('sha256', text, 'buffer');
  let expected: Buffer | undefined;
  return (presented) => {
    if (presented === undefined) return false;
    expected ??= digest(secret);
    return crypto().timingSafeEqual(digest(presented), expected);
  };
}
