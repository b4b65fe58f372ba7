import { AppError } from '../kernel/errors.ts';

/** Stable, machine-readable reasons. @spec connector#errors */
export type ErrorCode =
  | 'access_ended'
  | 'account_busy'
  | 'account_offline'
  | 'account_removed'
  | 'account_unknown'
  | 'backlog_full'
  | 'body_malformed'
  | 'body_too_large'
  | 'bouncer_unreachable'
  | 'callback_failed'
  | 'channel_invalid'
  | 'channel_not_enabled'
  | 'channel_unknown'
  | 'csrf_refused'
  | 'database_full'
  | 'database_unavailable'
  | 'delivery_mode_unsupported'
  | 'downloads_exhausted'
  | 'entry_unknown'
  | 'event_unknown'
  | 'form_invalid'
  | 'history_busy'
  | 'idempotency_conflict'
  | 'identity_provider_unreachable'
  | 'internal'
  | 'invitation_invalid'
  | 'limit_invalid'
  | 'login_invalid'
  | 'login_unknown'
  | 'media_type_unsupported'
  | 'message_invalid'
  | 'message_unknown'
  | 'method_not_allowed'
  | 'network_changed'
  | 'network_unknown'
  | 'nick_invalid'
  | 'nick_taken'
  | 'not_acceptable'
  | 'not_found'
  | 'not_invited'
  | 'not_owner'
  | 'not_serving'
  | 'origin_refused'
  | 'owner_not_removable'
  | 'page_token_invalid'
  | 'personal_tokens_exhausted'
  | 'personal_tokens_off'
  | 'phrase_empty'
  | 'provisioning_failed'
  | 'rate_limited'
  | 'request_malformed'
  | 'scope_missing'
  | 'session_unknown'
  | 'sign_in_failed'
  | 'since_invalid'
  | 'subscription_ended'
  | 'subscription_invalid'
  | 'subscriptions_exhausted'
  | 'token_invalid'
  | 'too_many_requests'
  | 'unauthorized'
  | 'user_limit_reached';

/** An expected refusal, or a failure of a part outside this process; the requester may read the message. */
export class ConnectorError extends AppError<ErrorCode> {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Codes of failures of the database, which may have made a change without an answer. */
const DOUBTFUL: readonly ErrorCode[] = ['database_unavailable', 'database_full'];

/** Whether a change that failed with this error may be stored all the same. A refusal of our own stores nothing. */
export const isDoubtful = (error: unknown): boolean =>
  !(error instanceof ConnectorError) || DOUBTFUL.includes(error.code);

/** A refusal about event subscriptions, with facts for programs. */
export class EventRefusal extends ConnectorError {
  readonly facts: Readonly<Record<string, string | number>> | undefined;
  constructor(code: ErrorCode, message: string, facts?: Readonly<Record<string, string | number>>) {
    super(code, message);
    this.facts = facts;
  }
}

const SECOND_MS = 1_000;

/** A refusal because of a limit; a client that waits this long succeeds. */
export class RetryLater extends ConnectorError {
  readonly retryAfterSeconds: number;
  constructor(code: ErrorCode, why: string, waitMs: number) {
    const seconds = Math.max(1, Math.ceil(waitMs / SECOND_MS));
    super(code, `${why}: try again in ${seconds} s`);
    this.retryAfterSeconds = seconds;
  }
}

/** @spec connector#limits post rate */
export const postRateExceeded = (waitMs: number): RetryLater =>
  new RetryLater('rate_limited', 'this account has posted as often as it may in a minute', waitMs);

export const backlogFull = (waitMs: number): RetryLater =>
  new RetryLater('backlog_full', 'more lines wait to be sent to the network than it takes in half a minute', waitMs);

export const idempotencyConflict = (): ConnectorError =>
  new ConnectorError(
    'idempotency_conflict',
    'this idempotency_key was used for another text or channel: the first message stands; use a new key for a new message',
  );

/** Wait of a refused call. A call takes milliseconds; this many wait only while one takes long. */
const BUSY_WAIT_MS = 5_000;

export const accountBusy = (): RetryLater =>
  new RetryLater('account_busy', 'more calls wait for this account than it can serve', BUSY_WAIT_MS);

/**
 * Wait that is named during a download, whose duration is unknown: a person who watches it has waited long enough by
 * then.
 */
const DOWNLOAD_WAIT_MS = 10_000;

export const historyBusy = (why: string): RetryLater => new RetryLater('history_busy', why, DOWNLOAD_WAIT_MS);

export const downloadsExhausted = (): RetryLater =>
  new RetryLater('downloads_exhausted', 'as many people download a history as may at once', DOWNLOAD_WAIT_MS);

export const accountOffline = (): ConnectorError =>
  new ConnectorError('account_offline', 'this account is offline: call go_online first, then try again');

/** The error for an account that an owner has removed since its person or client was let in. */
export const accountRemoved = (): ConnectorError =>
  new ConnectorError('account_removed', 'an owner has removed this account: an owner can invite its person anew');

export const bouncerUnreachable = (cause: unknown): ConnectorError =>
  new ConnectorError('bouncer_unreachable', 'the bouncer does not answer at the moment: try again in a minute', {
    cause,
  });

/** The error for a login that was written for another network than the account's present one. */
export const networkChanged = ({ name, address }: { name: string; address: string }): ConnectorError =>
  new ConnectorError(
    'network_changed',
    `you are on another network by now, ${name} at ${address}: nothing was sent to it; see whether you want to log in there`,
  );

/** Wait after which another process may have passed the slot on, or a balancer has chosen the one that has it. */
const ELSEWHERE_WAIT_MS = 5_000;

/** The error of a process that serves nothing now: as a standby, or cut off from the database. */
export const notServing = (): RetryLater =>
  new RetryLater(
    'not_serving',
    'this process does not serve now: another one has the database, or the database does not answer',
    ELSEWHERE_WAIT_MS,
  );

/** The error for an order that no process has begun, and that none will begin. */
export const orderExpired = (): RetryLater =>
  new RetryLater(
    'bouncer_unreachable',
    'this was not begun in time, and will not be: nothing has changed',
    ELSEWHERE_WAIT_MS,
  );

/** The error for an order that was not stored, because the database was too slow for those before it. */
export const ordersNotStored = (): ConnectorError =>
  new ConnectorError(
    'database_unavailable',
    'the database takes too long to store what this account asks: nothing has changed, try again in a minute',
  );

/** The error for an order that was begun, and whose outcome is not known at its deadline. */
export const orderUnderWay = (): ConnectorError =>
  new ConnectorError(
    'bouncer_unreachable',
    'this takes longer than usual, and may still be done: see_account_information shows what came of it',
  );

/** An error as plain data. */
interface Refusal {
  code: string;
  message: string;
  retryAfterSeconds?: number | undefined;
}

const AGAIN = /: try again in \d+ s$/;

/** Returns what another process may know of an error: of an unexpected one only that there was one. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ConnectorError)) {
    return { code: 'internal', message: 'the process that has the session has failed: its log says why' };
  }
  const { code, message } = error;
  if (!(error instanceof RetryLater)) return { code, message };
  return { code, message: message.replace(AGAIN, ''), retryAfterSeconds: error.retryAfterSeconds };
}

/** Returns the error that another process has stored. */
export function errorOf({ code: stored, message, retryAfterSeconds }: Refusal): ConnectorError {
  const code = Object.hasOwn(errorTable, stored) ? (stored as ErrorCode) : 'internal';
  return retryAfterSeconds === undefined
    ? new ConnectorError(code, message)
    : new RetryLater(code, message, retryAfterSeconds * SECOND_MS);
}

export const sessionUnknown = (): ConnectorError =>
  new ConnectorError(
    'session_unknown',
    'unknown or expired session_id: call see_account_information without it to start a new session',
  );

export const channelNotEnabled = (channel: string): ConnectorError =>
  new ConnectorError(
    'channel_not_enabled',
    `channel ${channel} is not enabled for this account: see_account_information lists those that are, the human enables others in the settings`,
  );

interface ErrorRow {
  status: number;
  /** Headline of a page that shows the error to a person. */
  title?: string;
  /** Wait after which the fault may have passed, if the refusal itself does not know one. */
  retryAfterSeconds?: number;
}

/** HTTP status and title of each code; a forgotten code does not compile. @spec connector#errors */
export const errorTable: Record<ErrorCode, ErrorRow> = {
  access_ended: { status: 403 },
  account_busy: { status: 503 },
  account_offline: { status: 503 },
  account_removed: { status: 403, title: 'Your access has ended' },
  account_unknown: { status: 404, title: 'No such account' },
  backlog_full: { status: 429 },
  body_malformed: { status: 400 },
  body_too_large: { status: 413 },
  bouncer_unreachable: { status: 503 },
  callback_failed: { status: 422 },
  channel_invalid: { status: 400 },
  channel_not_enabled: { status: 404 },
  channel_unknown: { status: 422 },
  csrf_refused: { status: 403 },
  database_full: { status: 503 },
  database_unavailable: { status: 503, retryAfterSeconds: 5 },
  delivery_mode_unsupported: { status: 422 },
  downloads_exhausted: { status: 503, title: 'Please wait' },
  entry_unknown: { status: 404 },
  event_unknown: { status: 404 },
  form_invalid: { status: 400 },
  history_busy: { status: 409, title: 'Please wait' },
  idempotency_conflict: { status: 409 },
  identity_provider_unreachable: { status: 503, title: 'Sign-in is not available' },
  internal: { status: 500, title: 'Something went wrong' },
  invitation_invalid: { status: 422 },
  limit_invalid: { status: 400 },
  login_invalid: { status: 422, title: 'Not saved' },
  login_unknown: { status: 404, title: 'Not here' },
  media_type_unsupported: { status: 415 },
  message_invalid: { status: 422 },
  message_unknown: { status: 404 },
  method_not_allowed: { status: 405 },
  network_changed: { status: 409, title: 'Another network' },
  network_unknown: { status: 422 },
  nick_invalid: { status: 422 },
  nick_taken: { status: 409 },
  not_acceptable: { status: 406 },
  not_found: { status: 404, title: 'Not here' },
  not_invited: { status: 403, title: 'No access yet' },
  not_owner: { status: 403, title: 'Only for owners' },
  not_serving: { status: 503, title: 'Try again in a moment' },
  origin_refused: { status: 403 },
  owner_not_removable: { status: 409, title: 'An owner stays' },
  page_token_invalid: { status: 400 },
  personal_tokens_exhausted: { status: 409, title: 'Too many tokens' },
  personal_tokens_off: { status: 403, title: 'No tokens here' },
  phrase_empty: { status: 422 },
  provisioning_failed: { status: 503 },
  rate_limited: { status: 429 },
  request_malformed: { status: 400 },
  scope_missing: { status: 401 },
  session_unknown: { status: 404 },
  sign_in_failed: { status: 400, title: 'Sign-in did not work' },
  since_invalid: { status: 400 },
  subscription_ended: { status: 409 },
  subscription_invalid: { status: 422 },
  subscriptions_exhausted: { status: 429 },
  token_invalid: { status: 401 },
  too_many_requests: { status: 429, title: 'Too many requests' },
  unauthorized: { status: 401 },
  user_limit_reached: { status: 409, title: 'No room for another account' },
};
