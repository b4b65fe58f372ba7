import { hasUnseenCharacter } from './unseen-characters.ts';

/** Our own limit: longer than the login of any identity provider, short enough for a line of a page. */
export const LOGIN_MAX_CHARACTERS = 255;

/** Returns the login without spaces around it; undefined for a text that can't be one. */
export function parseLogin(written: string): string | undefined {
  if (hasUnseenCharacter(written)) return undefined;
  const login = written.trim();
  return login === '' || login.length > LOGIN_MAX_CHARACTERS ? undefined : login;
}

/**
 * Maps a login to the key that all its spellings share at an identity provider; two logins are the same if their keys
 * are equal.
 */
export type LoginKey = (login: string) => string;

export const withCase: LoginKey = (login) => login;

export const ignoringCase: LoginKey = (login) => login.toLowerCase();
