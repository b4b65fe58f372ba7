/** Pages that somebody may come back to after sign-in. Bounded, because a cookie keeps the path meanwhile. */
const RETURN_PATHS = /^\/(?:settings|oauth\/interaction\/[A-Za-z0-9_-]{1,64})$/;

/** The path of ours to return to after sign-in; the settings page for any other text. */
export function safeReturn(next: unknown): string {
  return typeof next === 'string' && RETURN_PATHS.test(next) ? next : '/settings';
}
