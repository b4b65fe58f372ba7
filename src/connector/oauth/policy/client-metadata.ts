import { redirectUriProblem } from './redirect-uri.ts';

/** Of the whole registration, as JSON. */
const REGISTRATION_MAX_BYTES = 8 * 1_024;
const REDIRECT_URIS_MAX = 5;
const NAME_MAX_CHARACTERS = 200;
/** What nobody sees: spaces, and characters that a font draws as nothing. A name of these would leave a hole in the question. */
const UNSEEN = /[\s\p{Default_Ignorable_Code_Point}\p{C}\u2800]/gu;

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

/**
 * Why a client may not register, undefined when it may; redirect URI problems start with `redirect_uris`.
 * @param metadata as parsed: any JSON, whose other members the library checks
 */
export function registrationProblem(metadata: Record<string, unknown>): string | undefined {
  if (bytesOf(metadata) > REGISTRATION_MAX_BYTES) {
    return `a registration must not be longer than ${REGISTRATION_MAX_BYTES} bytes`;
  }
  return nameProblem(metadata['client_name']) ?? redirectUrisProblem(metadata['redirect_uris']);
}

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

function redirectUrisProblem(uris: unknown): string | undefined {
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) {
    return 'redirect_uris must be an array of strings';
  }
  if (uris.length === 0) return 'redirect_uris must not be empty';
  if (uris.length > REDIRECT_URIS_MAX) return `redirect_uris must not be more than ${REDIRECT_URIS_MAX}`;
  const problem = uris.map(redirectUriProblem).find((text) => text !== undefined);
  return problem === undefined ? undefined : `redirect_uris ${problem}`;
}
