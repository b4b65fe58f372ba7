import { hasUnseenCharacter } from '../../domain/unseen-characters.ts';
import { isPrivateUse, redirectUriProblem } from './redirect-uri.ts';

/** Largest registration, as JSON. */
const REGISTRATION_MAX_BYTES = 8 * 1_024;
const REDIRECT_URIS_MAX = 10;
const NAME_MAX_CHARACTERS = 200;
/** The method of a client that has no secret. */
const PUBLIC_METHOD = 'none';
/** Method of a client that does not name one. @see RFC 7591 §2 */
const DEFAULT_METHOD = 'client_secret_basic';

/** Values that have a meaning here, by the member that holds them. */
const GRANT_TYPES: readonly string[] = ['authorization_code', 'refresh_token'];
const RESPONSE_TYPES: readonly string[] = ['code'];
const APPLICATION_TYPES: readonly string[] = ['native', 'web'];
const AUTH_METHODS: readonly string[] = [PUBLIC_METHOD, DEFAULT_METHOD, 'client_secret_post'];
const LISTS = [
  ['grant_types', GRANT_TYPES],
  ['response_types', RESPONSE_TYPES],
] as const;

/** Member with all methods that a client can use; the one that it names first is the one it prefers. */
export const METHODS_MEMBER = 'token_endpoint_auth_methods_supported';

/** Members of a registration that have a meaning here. */
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
 * Drops members without a meaning here, as RFC 7591 §2 lets a server do: keys and addresses that this server does not
 * use, one of which the library would fetch. The scope is dropped, too: clients register that of the first challenge
 * and ask for more later, and a person decides each time, not the registration.
 */
export function dropUnused(metadata: Record<string, unknown>): void {
  for (const member of Object.keys(metadata)) if (!MEANINGFUL_MEMBERS.has(member)) delete metadata[member];
}

/**
 * Marks apps with their own scheme as native: the library allows such schemes only to native clients, and many of those
 * don't say that they are native.
 */
function nameNativeApps(metadata: Record<string, unknown>): void {
  const { redirect_uris: uris } = metadata;
  if (Array.isArray(uris) && uris.some((uri) => typeof uri === 'string' && isPrivateUse(uri))) {
    metadata['application_type'] = 'native';
  }
}

/** Source of a client's metadata. A document is written for every server there is, a registration for this one. */
export type MetadataSource = 'registration' | 'document';

/**
 * Reduces a client's metadata to what counts here: unknown values are dropped like unknown members. Members of a wrong
 * type are left for the library to refuse.
 * @returns why the client is refused; redirect URI problems start with `redirect_uris`
 * @see RFC 7591 §2, draft-ietf-oauth-client-id-metadata-document §4.1
 */
export function fitMetadata(metadata: Record<string, unknown>, source: MetadataSource): string | undefined {
  if (source === 'registration' && bytesOf(metadata) > REGISTRATION_MAX_BYTES) {
    return `a registration must not be longer than ${REGISTRATION_MAX_BYTES} bytes`;
  }
  keepKnownValues(metadata, source);
  const problem =
    nameProblem(metadata['client_name'], source) ??
    redirectUrisProblem(metadata, source) ??
    usesProblem(metadata, 'grant_types', GRANT_TYPES) ??
    usesProblem(metadata, 'response_types', RESPONSE_TYPES);
  if (problem === undefined) nameNativeApps(metadata);
  return problem;
}

function keepKnownValues(metadata: Record<string, unknown>, source: MetadataSource): void {
  for (const [member, known] of LISTS) {
    const values = metadata[member];
    // A list without any known value is refused below, in a message that names the client's values.
    if (isListOfTexts(values) && values.some((value) => known.includes(value))) {
      metadata[member] = values.filter((value) => known.includes(value));
    }
  }
  const { application_type: type } = metadata;
  if (typeof type === 'string' && !APPLICATION_TYPES.includes(type)) delete metadata['application_type'];
  chooseMethod(metadata, source);
}

/**
 * Chooses the client's authentication method. A document takes the one without a secret, because a document can't share
 * one.
 */
function chooseMethod(metadata: Record<string, unknown>, source: MetadataSource): void {
  const { token_endpoint_auth_method: method, [METHODS_MEMBER]: supported } = metadata;
  const alternatives: readonly unknown[] = Array.isArray(supported) ? supported : [];
  if (source === 'document') {
    // The library refuses a document that names the default itself: here it stands for the method without a secret.
    if (method === DEFAULT_METHOD || alternatives.includes(PUBLIC_METHOD)) {
      metadata['token_endpoint_auth_method'] = PUBLIC_METHOD;
    }
    return;
  }
  if (typeof method !== 'string' || AUTH_METHODS.includes(method)) return;
  // The answer to the registration says which one was chosen.
  metadata['token_endpoint_auth_method'] = AUTH_METHODS.find((known) => alternatives.includes(known)) ?? DEFAULT_METHOD;
}

/**
 * Refuses a client that could never get a token now, not at its first request. An empty list of grant types counts as
 * an absent one.
 */
function usesProblem(
  metadata: Record<string, unknown>,
  member: 'grant_types' | 'response_types',
  known: readonly string[],
): string | undefined {
  const values = metadata[member];
  if (!isListOfTexts(values) || values.some((value) => known.includes(value))) return undefined;
  if (member === 'grant_types' && values.length === 0) return undefined;
  return `${member} has none of ${known.join(', ')}: the client could do nothing here`;
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

function bytesOf(metadata: Record<string, unknown>): number {
  try {
    return Buffer.byteLength(JSON.stringify(metadata));
  } catch {
    // Parsed JSON can be nested deeper than `JSON.stringify` can write.
    return Number.POSITIVE_INFINITY;
  }
}

function nameProblem(name: unknown, source: MetadataSource): string | undefined {
  if (name === undefined) return source === 'document' ? 'client_name is missing' : undefined;
  if (typeof name !== 'string') return 'client_name must be a string';
  if ([...name].length > NAME_MAX_CHARACTERS) {
    return `client_name must not be longer than ${NAME_MAX_CHARACTERS} characters`;
  }
  if (hasUnseenCharacter(name)) {
    return 'client_name must not contain control characters, nor any that people do not see, nor marks of direction';
  }
  return name.trim() === '' ? 'client_name must have a character that people see' : undefined;
}

/**
 * Why the redirect URIs are refused. A document keeps only the addresses that a client may have: one that is meant for
 * other servers must not shut the client out.
 */
function redirectUrisProblem(metadata: Record<string, unknown>, source: MetadataSource): string | undefined {
  const { redirect_uris: uris } = metadata;
  const isPublic = source === 'document' || metadata['token_endpoint_auth_method'] === PUBLIC_METHOD;
  if (source === 'document') {
    const usable = (Array.isArray(uris) ? uris : []).filter(
      (uri) => typeof uri === 'string' && redirectUriProblem(uri, { isPublic }) === undefined,
    );
    if (usable.length === 0) return 'redirect_uris has none that may be used';
    metadata['redirect_uris'] = usable;
    return undefined;
  }
  if (!isListOfTexts(uris)) return 'redirect_uris must be an array of strings';
  if (uris.length === 0) return 'redirect_uris must not be empty';
  if (uris.length > REDIRECT_URIS_MAX) return `redirect_uris must not be more than ${REDIRECT_URIS_MAX}`;
  const problem = uris.map((uri) => redirectUriProblem(uri, { isPublic })).find((text) => text !== undefined);
  return problem === undefined ? undefined : `redirect_uris ${problem}`;
}
