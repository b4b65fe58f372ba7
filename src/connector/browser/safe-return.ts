/**
 * Pages that a person may return to after sign-in; a link into the history has the entry in its query. The path is
 * bounded, because a cookie keeps it meanwhile.
 */
const RETURN_PATHS = /^\/(?:settings|history(?:\?[\w%=&+*.-]{1,512})?|oauth\/interaction\/[A-Za-z0-9_-]{1,64})$/;

/** Returns our path to return to after sign-in; the settings page for any other text. */
export function safeReturn(next: unknown): string {
  return typeof next === 'string' && RETURN_PATHS.test(next) ? next : '/settings';
}
