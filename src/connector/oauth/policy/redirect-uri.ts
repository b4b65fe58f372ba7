/** No client needs a longer address. */
const URI_MAX_CHARACTERS = 512;

/** Names under which a client on the person's own machine listens; the one place where http is safe. */
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Why a client may not register a redirect URI, undefined when it may. @see RFC 9700 §2.1 */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > URI_MAX_CHARACTERS) return `must not be longer than ${URI_MAX_CHARACTERS} characters`;
  const url = URL.parse(uri);
  if (url === null) return 'must be absolute URIs';
  if (uri.includes('#')) return 'must not contain fragments';
  if (uri.includes('*')) return 'must not contain wildcards';
  if (url.username !== '' || url.password !== '') return 'must not contain user names';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:' && LOOPBACK.has(url.hostname)) return undefined;
  return 'must be https, or http on a loopback address';
}
