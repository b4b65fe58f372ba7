import { isPrivateUse, redirectUriProblem } from './redirect-uri.ts';

/** Of the whole registration, as JSON. */
const REGISTRATION_MAX_BYTES = 8 * 1_024;
const REDIRECT_URIS_MAX = 10;
const NAME_MAX_CHARACTERS = 200;
/** What nobody sees: spaces, and characters that a font draws as nothing. A name of these would leave a hole in the question. */
const UNSEEN = /[\s\p{Default_Ignorable_Code_Point}\p{C}\u2800]/gu;

/** The method of a client that has no secret. */
const PUBLIC_METHOD = 'none';
/** What a client has that names no method. @see RFC 7591 §2 */
const DEFAULT_METHOD = 'client_secret_basic';

/** All methods that a client can use; the one that it names first is what it likes best. */
export const METHODS_MEMBER = 'token_endpoint_auth_methods_supported';

/** What of a registration has a meaning here. */
const MEANINGFUL_MEMBERS: ReadonlySet<string> = new Set([
  'application_type',
  'client_id',
  'client_id_issued_at',
  'client_name',
  'client_secret',
  'client_secret_expires_at',
  'grant_types',
  'redirect_uris',
  'response_types',
  'token_endpoint_auth_method',
]);

/**
 * Drops what has no meaning here, as RFC 7591 §2 lets a server do: keys and addresses that nobody would ever look at, one
 * of which the library would fetch. Also the scope: clients register that of the first challenge and ask for more later, and
 * a person decides each time, not the registration.
 */
export function dropUnused(metadata: Record<string, unknown>): void {
  for (const member of Object.keys(metadata)) if (!MEANINGFUL_MEMBERS.has(member)) delete metadata[member];
}

/** The library lets only native applications have schemes of their own, and many of those don't say that they are native. */
export function nameNativeApps(metadata: Record<string, unknown>): void {
  const { redirect_uris: uris } = metadata;
  if (Array.isArray(uris) && uris.some((uri) => typeof uri === 'string' && isPrivateUse(uri))) {
    metadata['application_type'] = 'native';
  }
}

/**
 * Why a client may not register, undefined when it may; redirect URI problems start with `redirect_uris`.
 * @param metadata as parsed: any JSON, whose other members the library checks
 */
export function registrationProblem(metadata: Record<string, unknown>): string | undefined {
  if (bytesOf(metadata) > REGISTRATION_MAX_BYTES) {
    return `a registration must not be longer than ${REGISTRATION_MAX_BYTES} bytes`;
  }
  const isPublic = metadata['token_endpoint_auth_method'] === PUBLIC_METHOD;
  return nameProblem(metadata['client_name']) ?? redirectUrisProblem(metadata['redirect_uris'], isPublic);
}

/**
 * Makes of a client's own document what counts here. It is written for every server there is: so of its addresses those are
 * taken that may be, and of the ways in which it proves who it is the one without a secret.
 * @returns why it can't be used
 * @see draft-ietf-oauth-client-id-metadata-document §4.1
 */
export function fitDocument(metadata: Record<string, unknown>): string | undefined {
  const { [METHODS_MEMBER]: methods, redirect_uris: uris, client_name: name } = metadata;
  if (name === undefined) return 'client_name is missing';
  const canBePublic = Array.isArray(methods) && methods.includes(PUBLIC_METHOD);
  // The library refuses a document that names this method itself: here it stands for none at all.
  if (canBePublic || metadata['token_endpoint_auth_method'] === DEFAULT_METHOD) {
    metadata['token_endpoint_auth_method'] = PUBLIC_METHOD;
  }
  if (Array.isArray(uris)) {
    metadata['redirect_uris'] = uris.filter(
      (uri) => typeof uri === 'string' && redirectUriProblem(uri, { isPublic: true }) === undefined,
    );
  }
  return (
    nameProblem(name) ?? (hasMembers(metadata['redirect_uris']) ? undefined : 'redirect_uris has none that may be used')
  );
}

const hasMembers = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

function bytesOf(metadata: Record<string, unknown>): number {
  try {
    return Buffer.byteLength(JSON.stringify(metadata));
  } catch {
    // Parsed JSON can be deeper than what can be written again.
    return Number.POSITIVE_INFINITY;
  }
}

function nameProblem(name: unknown): string | undefined {
  if (name === undefined) return undefined;
  if (typeof name !== 'string') return 'client_name must be a string';
  if ([...name].length > NAME_MAX_CHARACTERS) {
    return `client_name must not be longer than ${NAME_MAX_CHARACTERS} characters`;
  }
  if (/\p{Cc}/u.test(name)) return 'client_name must not contain control characters';
  return name.replace(UNSEEN, '') === '' ? 'client_name must have a character that people see' : undefined;
}

function redirectUrisProblem(uris: unknown, isPublic: boolean): string | undefined {
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) {
    return 'redirect_uris must be an array of strings';
  }
  if (uris.length === 0) return 'redirect_uris must not be empty';
  if (uris.length > REDIRECT_URIS_MAX) return `redirect_uris must not be more than ${REDIRECT_URIS_MAX}`;
  const problem = uris.map((uri) => redirectUriProblem(uri, { isPublic })).find((text) => text !== undefined);
  return problem === undefined ? undefined : `redirect_uris ${problem}`;
}
