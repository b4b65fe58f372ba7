import { hasUnseenCharacter } from './unseen-characters.ts';

/** Ours: longer than the login of any identity provider, short enough for a line of a page. */
export const LOGIN_MAX_CHARACTERS = 255;

/** The login that `written` is, without spaces around it; undefined for a text that can't be one. */
export function parseLogin(written: string): string | undefined {
  if (hasUnseenCharacter(written)) return undefined;
  const login = written.trim();
  return login === '' || login.length > LOGIN_MAX_CHARACTERS ? undefined : login;
}

/** What all spellings of one login have in common at an identity provider; two logins are the same if these are equal. */
export type LoginKey = (login: string) => string;

export const withCase: LoginKey = (login) => login;

export const ignoringCase: LoginKey = (login) => login.toLowerCase();
