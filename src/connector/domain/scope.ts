/** What an access token may do. @spec connector#authentication */
export const SCOPES = ['irc:read', 'irc:write'] as const;
export type Scope = (typeof SCOPES)[number];

/** Granted when a client asks for no scope. */
export const DEFAULT_SCOPE: Scope = 'irc:read';

/** What a person reads on the consent page. */
export const SCOPE_MEANING: Record<Scope, string> = {
  'irc:read': 'See your nick, your enabled channels and what was said there',
  'irc:write': 'Send messages under your nick, and take your account online or offline',
};

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
