/** Numbers of the specification and of the decisions that fill what it leaves open; each stands here once. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** @spec connector#limits message text; characters are Unicode code points */
export const MESSAGE_MAX_CHARACTERS = 400;

/** @spec connector#limits nick length */
export const NICK_MAX_CHARACTERS = 31;

/** @spec connector#limits `limit` query */
export const HISTORY_LIMIT_MAX = 200;
/** @spec connector#limits `limit` query */
export const HISTORY_LIMIT_DEFAULT = 50;

/** How far `last_hour` reaches back. @spec connector#mcp-tools */
export const LAST_HOUR_MS = HOUR_MS;

/** @spec connector#limits agent session inactivity expiry */
export const AGENT_SESSION_IDLE_MS = 30 * DAY_MS;

/** A phrase to search for; no entry has a longer text that anybody would quote. */
export const PHRASE_MAX_CHARACTERS = 400;

/** Visible ASCII characters of an idempotency key. */
export const IDEMPOTENCY_KEY_MAX_CHARACTERS = 128;

/** Lifetimes of the authorization server, in seconds as its library wants them. */
export const ACCESS_TOKEN_SECONDS = HOUR_MS / SECOND_MS;
export const AUTHORIZATION_CODE_SECONDS = 60;
export const REFRESH_TOKEN_SECONDS = (30 * DAY_MS) / SECOND_MS;
/** A person may take this long from the authorization request to the decision. */
export const CONSENT_SECONDS = (20 * MINUTE_MS) / SECOND_MS;

export const BROWSER_SESSION_IDLE_MS = 12 * HOUR_MS;
export const BROWSER_SESSION_MAX_MS = 30 * DAY_MS;
/** From leaving for the identity provider to coming back. */
export const SIGN_IN_MAX_MS = 10 * MINUTE_MS;

/** What the upstream server lets through without a penalty: this many lines at once, then one per interval. */
export const SEND_BURST_LINES = 5;
export const SEND_INTERVAL_MS = 2 * SECOND_MS;
