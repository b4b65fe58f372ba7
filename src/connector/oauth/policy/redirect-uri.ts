/** Longest address; clients do not need more. */
const URI_MAX_CHARACTERS = 512;

/** Hosts at which a client on the person's own machine listens; the only ones where http is safe. */
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Characters of a URI; RFC 3986 §2. A browser drops or replaces anything else, and then goes to another address. */
const URI = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;

/** A host name without a special meaning in a header: URLs also allow commas, semicolons and quotes. */
const HOST = /^(?:[a-z0-9_-]+\.)*[a-z0-9_-]+\.?$|^\[[0-9a-f:.]+\]$/;

/** An app's own scheme, in lower case, and a path, which `javascript:alert(1)` and the like do not have. */
const PRIVATE_USE = /^[a-z][a-z0-9+.-]+:\/[^?#]/;

/**
 * Schemes that browsers and systems handle themselves, instead of opening the app that registered them: they run it,
 * show it, write a message, connect somewhere, install something.
 */
const TAKEN_SCHEMES = new Set(
  `about acct afp aim android-app app apt blob bitcoin callto cid content data dav davs dict dns ed2k facetime
  facetime-audio feed file filesystem finger fish ftp ftps geo git go gopher gtalk h323 hcp help http https im imap imaps
  info intent intents irc irc6 ircs itms itms-apps itms-appss itms-services jar javascript javascriptc jid ldap ldaps livescript magnet
  mailto market mid mms mmsh mocha msrp news nfs nntp opaquelocktoken pop pops pres proxy res resource rmi rsync rtmp rtsp
  rtspu search search-ms service sftp sgn sip sips sms smsto smb smtp snmp snews spotify ssh steam stun stuns svn tel
  telnet tftp tip tn3270 turn turns udp unreal urn vbscript vemmi view-source vnc wais webcal webcals widget ws wss
  wyciwyg xcon xmlrpc xmpp z39.50r z39.50s`.split(/\s+/),
);
/** Families of such schemes: parts of Windows and Office, of browsers, of sites that registered one, and of debuggers. */
const TAKEN_FAMILIES =
  /^(?:ms-|microsoft|web\+|ext\+|chrome|googlechrome|firefox|moz-|edge|opera|touch-http|brave|safari|x-safari|ddgquicklink|devtools|x-apple|com\.apple\.)/;

/**
 * Returns why a client may not have a redirect URI; undefined if it may.
 * @param isPublic whether the client has no secret: only such a client is an app on the person's machine, with a scheme
 * of its own
 * @see RFC 9700 §2.1, RFC 8252 §7.1
 */
export function redirectUriProblem(uri: string, { isPublic }: { isPublic: boolean }): string | undefined {
  if (uri.length > URI_MAX_CHARACTERS) return `must not be longer than ${URI_MAX_CHARACTERS} characters`;
  const url = URI.test(uri) ? URL.parse(uri) : null;
  if (url === null) return 'must be absolute URIs';
  if (uri.includes('#')) return 'must not contain fragments';
  if (uri.includes('*')) return 'must not contain wildcards';
  if (url.username !== '' || url.password !== '') return 'must not contain user names';
  if (url.protocol === 'https:' || url.protocol === 'http:') return webProblem(url);
  return privateUseProblem(uri, url, isPublic);
}

function webProblem({ protocol, hostname }: URL): string | undefined {
  if (!HOST.test(hostname)) return 'must have a host of letters, digits, hyphens and dots';
  if (protocol === 'https:' || LOOPBACK.has(hostname)) return undefined;
  return 'must be https, or http on a loopback address';
}

function privateUseProblem(uri: string, { protocol }: URL, isPublic: boolean): string | undefined {
  const scheme = protocol.slice(0, -1);
  if (!PRIVATE_USE.test(uri) || TAKEN_SCHEMES.has(scheme) || TAKEN_FAMILIES.test(scheme)) {
    return 'must be https, http on a loopback address, or of a scheme that only the app itself has';
  }
  return isPublic
    ? undefined
    : 'must be https for a client that has a secret: only an app without one has its own scheme';
}

/** Whether the address belongs to an app that the browser hands it to. */
export const isPrivateUse = (uri: string): boolean => !/^https?:/.test(uri);

const LOOPBACK_ORIGIN = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/;

/** Whether the address is on the person's own machine. */
export const isLoopback = (uri: string): boolean => LOOPBACK_ORIGIN.test(uri);

/** Whether two addresses on the person's own machine differ only in the port. @see RFC 8252 §7.3 */
export const differInPortOnly = (one: string, other: string): boolean =>
  isLoopback(one) && isLoopback(other) && withoutPort(one) === withoutPort(other);

const withoutPort = (uri: string): string => uri.replace(LOOPBACK_ORIGIN, '$1');
