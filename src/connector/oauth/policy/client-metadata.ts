import { redirectUriProblem } from './redirect-uri.ts';

const REDIRECT_URIS_MAX = 20;
const NAME_MAX_CHARACTERS = 200;

export interface RegisteredMetadata {
  client_name?: string | undefined;
  redirect_uris?: readonly string[] | undefined;
}

/** Why a client may not register, undefined when it may; redirect URI problems start with `redirect_uris`. @see RFC 7591 §2 */
export function clientMetadataProblem({
  client_name: name = '',
  redirect_uris: uris = [],
}: RegisteredMetadata): string | undefined {
  if ([...name].length > NAME_MAX_CHARACTERS)
    return `client_name must not be longer than ${NAME_MAX_CHARACTERS} characters`;
  if (uris.length === 0) return 'redirect_uris must not be empty';
  if (uris.length > REDIRECT_URIS_MAX) return `redirect_uris must not be more than ${REDIRECT_URIS_MAX}`;
  const problem = uris.map(redirectUriProblem).find((text) => text !== undefined);
  return problem === undefined ? undefined : `redirect_uris ${problem}`;
}
