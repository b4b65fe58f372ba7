/** Scopes of access tokens. @spec connector#authentication */
export const SCOPES = ['irc:read', 'irc:write'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scope of a client that does not request any. */
export const DEFAULT_SCOPE: Scope = 'irc:read';

/** Meaning of each scope on the consent page. */
export const SCOPE_MEANING: Record<Scope, string> = {
  'irc:read': 'See your nick, your enabled channels and what was said there',
  'irc:write': 'Send messages under your nick, and take your account online or offline',
};

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
