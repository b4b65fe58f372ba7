import express, { type NextFunction, type RequestHandler } from 'express';
import { ConnectorError } from '../errors.ts';

/** Reads a body of JSON: any value, but no other media type. */
export function jsonBody(maxBytes: number): RequestHandler {
  const parse = express.json({ limit: maxBytes, strict: false, reviver: plainKey });
  return (req, res, next) => {
    if (req.is('json') === false) throw notJson();
    parse(req, res, refuseUnread(next, maxBytes, 'the body is not JSON, or has a key __proto__', notJson));
  };
}

/** Reads a body in the encoding of a form. */
export function formBody(maxBytes: number): RequestHandler {
  const parse = express.urlencoded({ extended: false, limit: maxBytes });
  return (req, res, next) => parse(req, res, refuseUnread(next, maxBytes, 'the body is not that of a form', notForm));
}

const notJson = () =>
  new ConnectorError('media_type_unsupported', 'send the body as Content-Type: application/json, in UTF-8');
const notForm = () => new ConnectorError('media_type_unsupported', 'send the form in UTF-8');
const tooLarge = (maxBytes: number) => new ConnectorError('body_too_large', `the body is over ${maxBytes} bytes`);

/** Replaces the parser's errors by ours. */
function refuseUnread(
  next: NextFunction,
  maxBytes: number,
  malformed: string,
  unsupported: () => ConnectorError,
): NextFunction {
  return (error?: unknown) => {
    const status = error instanceof Error && 'status' in error ? error.status : undefined;
    if (status === 400) next(new ConnectorError('body_malformed', malformed));
    else if (status === 413) next(tooLarge(maxBytes));
    else if (status === 415) next(unsupported());
    else next(error);
  };
}

/** Refuses `__proto__`: a schema does not see this key, so even a strict one would accept it. @throws SyntaxError */
function plainKey(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('a key is named __proto__');
  return value;
}
