/**
 * Prefix of personal tokens: a scanner of repositories finds one that was published by mistake, and a request is looked
 * up once.
 */
export const PERSONAL_TOKEN_PREFIX = 'homeport_';

/**
 * Prefix of a personal token's client. Each token has a client of its own, and thus its own limits, sessions and
 * subscriptions.
 */
export const PERSONAL_CLIENT_PREFIX = 'tok_';

/** Lifetimes of a token in days; the last one is the longest. */
export const PERSONAL_TOKEN_DAYS = [7, 30, 90, 365] as const;

/** Most tokens of one person at a time. */
export const PERSONAL_TOKENS_MAX = 20;

export const isPersonalToken = (token: string): boolean => token.startsWith(PERSONAL_TOKEN_PREFIX);

/** Characters of a token's hash that name its client. */
const CLIENT_CHARACTERS = 22;

/** @param hash hash of the token */
export const personalTokenClient = (hash: string): string =>
  `${PERSONAL_CLIENT_PREFIX}${hash.slice(0, CLIENT_CHARACTERS)}`;

export const isPersonalTokenClient = (clientId: string): boolean => clientId.startsWith(PERSONAL_CLIENT_PREFIX);
