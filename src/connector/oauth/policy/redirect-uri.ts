/** No client needs a longer address. */
const URI_MAX_CHARACTERS = 512;

/** Names under which a client on the person's own machine listens; the one place where http is safe. */
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** What a URI is written with; RFC 3986 §2. A browser drops or replaces anything else, and then goes to another address. */
const URI = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;

/** A name that means nothing else where it stands in a header: URLs take commas, semicolons and quotes, too. */
const HOST = /^(?:[a-z0-9_-]+\.)*[a-z0-9_-]+\.?$|^\[[0-9a-f:.]+\]$/;

/** Why a client may not register a redirect URI, undefined when it may. @see RFC 9700 §2.1 */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > URI_MAX_CHARACTERS) return `must not be longer than ${URI_MAX_CHARACTERS} characters`;
  const url = URI.test(uri) ? URL.parse(uri) : null;
  if (url === null) return 'must be absolute URIs';
  if (uri.includes('#')) return 'must not contain fragments';
  if (uri.includes('*')) return 'must not contain wildcards';
  if (!HOST.test(url.hostname)) return 'must have a host of letters, digits, hyphens and dots';
  if (url.username !== '' || url.password !== '') return 'must not contain user names';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:' && LOOPBACK.has(url.hostname)) return undefined;
  return 'must be https, or http on a loopback address';
}
