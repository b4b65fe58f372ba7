import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { ConnectorError, type ErrorCode, errorTable, RetryLater } from '../errors.ts';
import { RefusalWithHeaders } from './refusals.ts';
import { type Language, languageOf, prefersPage } from './requester.ts';

/** A refusal as a page shows it to a person. */
export interface Refusal {
  code: ErrorCode;
  title: string;
  message: string;
}

/** A whole HTML document. */
export type PageRenderer = (refusal: Refusal) => string;

const TITLE = 'That did not work';

/** JSON-RPC's own codes. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

const SERVER_ERROR_STATUS = 500;
const UNAVAILABLE_STATUS = 503;
const UNAUTHORIZED_STATUS = 401;

/** Refuses addresses that no route serves. */
export const notFound: RequestHandler = () => {
  throw new ConnectorError('not_found', 'there is nothing at this address');
};

/** The one place that turns errors into answers. A bug is logged, and the peer learns no details of it. */
export function answerErrors(log: Logger, render: PageRenderer): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const refusal = refusalOf(error);
    logRefusal(log, refusal, req, res);
    if (res.headersSent) {
      // An answer that can't be completed is cut off, which its reader notices.
      res.destroy();
      return;
    }
    answer(refusal, req, res, render);
  };
}

function refusalOf(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  // Express throws this for a path that it can't decode.
  if (error instanceof URIError) return new ConnectorError('request_malformed', 'the address can’t be read');
  return new ConnectorError('internal', 'something went wrong in this service: try again later', { cause: error });
}

function logRefusal(log: Logger, { code, cause }: ConnectorError, req: Request, res: Response): void {
  if (code === 'internal') log.error({ err: cause, method: req.method, path: req.path }, 'request failed');
  else if (cause !== undefined) log.warn({ code, reason: messageOf(cause) }, 'request refused');
  else if (languageOf(res) === 'page') log.info({ code }, 'page refused');
}

function answer(refusal: ConnectorError, req: Request, res: Response, render: PageRenderer): void {
  const { code, message } = refusal;
  const { status, title = TITLE, retryAfterSeconds } = errorTable[code];
  res.status(status).set('Cache-Control', 'no-store');
  if (refusal instanceof RefusalWithHeaders) res.set(refusal.headers);
  const waitSeconds = refusal instanceof RetryLater ? refusal.retryAfterSeconds : retryAfterSeconds;
  if (waitSeconds !== undefined) res.set('Retry-After', String(waitSeconds));
  const language = languageOf(res) ?? preferred(req);
  if (language === 'page') res.send(render({ code, title, message }));
  else res.json(BODIES[language](refusal, status));
}

/** People get a page, programs get JSON. */
const preferred = (req: Request): Language => (prefersPage(req) ? 'page' : 'json');

const BODIES: Record<Exclude<Language, 'page'>, (refusal: ConnectorError, status: number) => object> = {
  json: ({ code, message }) => ({ error: { code, message } }),
  // A request without a valid token is refused before its JSON-RPC is read. @see RFC 6750 §3.1
  jsonrpc: ({ code, message }, status) =>
    status === UNAUTHORIZED_STATUS
      ? { error: 'invalid_token', error_description: message }
      : { jsonrpc: '2.0', id: null, error: { code: rpcCodeOf(code), message } },
  oauth: ({ message }, status) => ({ error: oauthErrorOf(status), error_description: message }),
};

function rpcCodeOf(code: ErrorCode): number {
  if (code === 'body_malformed') return PARSE_ERROR;
  return errorTable[code].status >= SERVER_ERROR_STATUS ? INTERNAL_ERROR : INVALID_REQUEST;
}

/** @see RFC 6749 §4.1.2.1 and §5.2 */
function oauthErrorOf(status: number): string {
  if (status === UNAVAILABLE_STATUS) return 'temporarily_unavailable';
  return status >= SERVER_ERROR_STATUS ? 'server_error' : 'invalid_request';
}
