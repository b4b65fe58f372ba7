import { AppError } from '../kernel/errors.ts';

/** Stable, machine-readable reasons. @spec connector#errors */
export type ErrorCode =
  | 'account_offline'
  | 'backlog_full'
  | 'body_malformed'
  | 'body_too_large'
  | 'bouncer_unreachable'
  | 'channel_invalid'
  | 'channel_not_enabled'
  | 'channel_unknown'
  | 'csrf_refused'
  | 'database_full'
  | 'database_unavailable'
  | 'entry_unknown'
  | 'idempotency_conflict'
  | 'identity_provider_unreachable'
  | 'limit_invalid'
  | 'media_type_unsupported'
  | 'message_invalid'
  | 'message_unknown'
  | 'not_invited'
  | 'page_token_invalid'
  | 'phrase_empty'
  | 'provisioning_failed'
  | 'rate_limited'
  | 'scope_missing'
  | 'session_unknown'
  | 'sign_in_failed'
  | 'token_invalid'
  | 'too_many_requests'
  | 'user_limit_reached';

/** An expected refusal or a failure of a part outside this process; the message is fit for whoever asked. */
export class ConnectorError extends AppError<ErrorCode> {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const SECOND_MS = 1_000;

/** Too much at once; a client that waits this long succeeds. */
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

export const accountOffline = (): ConnectorError =>
  new ConnectorError('account_offline', 'this account is offline: call go_online first, then try again');

export const bouncerUnreachable = (cause: unknown): ConnectorError =>
  new ConnectorError('bouncer_unreachable', 'the bouncer does not answer at the moment: try again in a minute', {
    cause,
  });

export const channelNotEnabled = (channel: string): ConnectorError =>
  new ConnectorError(
    'channel_not_enabled',
    `channel ${channel} is not enabled for this account: see_account_information lists those that are, the human enables others in the settings`,
  );

export const tooManyRequests = (retryAfterSeconds: number): RetryLater =>
  new RetryLater(
    'too_many_requests',
    'this client has asked more than it may in a minute',
    retryAfterSeconds * SECOND_MS,
  );

/** The only place that knows HTTP; a forgotten code does not compile. @spec connector#errors */
export const httpStatusOf = {
  account_offline: 503,
  backlog_full: 429,
  body_malformed: 400,
  body_too_large: 413,
  bouncer_unreachable: 503,
  channel_invalid: 400,
  channel_not_enabled: 404,
  channel_unknown: 422,
  csrf_refused: 403,
  database_full: 503,
  database_unavailable: 503,
  entry_unknown: 404,
  idempotency_conflict: 409,
  identity_provider_unreachable: 503,
  limit_invalid: 400,
  media_type_unsupported: 415,
  message_invalid: 422,
  message_unknown: 404,
  not_invited: 403,
  page_token_invalid: 400,
  phrase_empty: 422,
  provisioning_failed: 503,
  rate_limited: 429,
  scope_missing: 401,
  session_unknown: 404,
  sign_in_failed: 400,
  token_invalid: 401,
  too_many_requests: 429,
  user_limit_reached: 409,
} as const satisfies Record<ErrorCode, number>;
