import { hasUnseenCharacter } from './unseen-characters.ts';

/** Personal tokens begin so: a scanner of repositories finds one that was published by mistake, and a request is looked up once. */
export const PERSONAL_TOKEN_PREFIX = 'homeport_';

/** The client of each personal token is of its own, so that it has limits, sessions and subscriptions of its own. */
export const PERSONAL_CLIENT_PREFIX = 'tok_';

export const PERSONAL_TOKEN_NAME_MAX_CHARACTERS = 60;

/** For how many days a token may be made; the last one is the longest. */
export const PERSONAL_TOKEN_DAYS = [7, 30, 90, 365] as const;

/** Tokens of one person at a time. */
export const PERSONAL_TOKENS_MAX = 20;

export const isPersonalToken = (token: string): boolean => token.startsWith(PERSONAL_TOKEN_PREFIX);

/** Characters of a token's hash that name its client. */
const CLIENT_CHARACTERS = 22;

/** @param hash of the token */
export const personalTokenClient = (hash: string): string =>
  `${PERSONAL_CLIENT_PREFIX}${hash.slice(0, CLIENT_CHARACTERS)}`;

export const isPersonalTokenClient = (clientId: string): boolean => clientId.startsWith(PERSONAL_CLIENT_PREFIX);

/** The name as it is kept; undefined for one that a person could not see, or could take for another. */
export function parseTokenName(written: string): string | undefined {
  const name = written.trim();
  const length = [...name].length;
  if (length === 0 || length > PERSONAL_TOKEN_NAME_MAX_CHARACTERS || hasUnseenCharacter(name)) return undefined;
  return name;
}
