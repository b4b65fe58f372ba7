import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { bearerToken } from '../../kernel/http/bearer.ts';
import type { Scope } from '../domain/scope.ts';
import type { VerifyToken } from '../domain/verified-token.ts';
import { setAdmin, setRequester } from './exchange.ts';
import type { Limits } from './limits.ts';
import { RefusalWithHeaders } from './refusals.ts';

/** What a route that checks access tokens asks of them. */
export interface TokenRule {
  /** The token must have it. A route without it checks scopes itself. */
  scope?: Scope;
  /** What a request without a usable token is told to get. */
  challenge: { scope: Scope /** Address of the metadata. @see RFC 9728 §5.1 */; resourceMetadata?: string };
}

/** Lets a request go on with a valid access token of a client that is within its limit. */
export function requireToken(rule: TokenRule, verifyToken: VerifyToken, limits: Limits): RequestHandler {
  return async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    const token = bearerToken(req.headers.authorization);
    const verified = token === undefined ? undefined : await verifyToken(token);
    if (token === undefined || verified === undefined) {
      const problem = req.headers.authorization === undefined ? undefined : TOKEN_INVALID;
      throw new RefusalWithHeaders('token_invalid', 'present a valid access token: Authorization: Bearer TOKEN', {
        'WWW-Authenticate': challenge(rule, problem),
      });
    }
    setRequester(res, { ...verified, token });
    limits.countClient({ ...verified, token });
    if (rule.scope !== undefined && !verified.scopes.includes(rule.scope)) {
      throw new RefusalWithHeaders('scope_missing', `the access token lacks the scope ${rule.scope}`, {
        'WWW-Authenticate': challenge(rule, { error: 'insufficient_scope' }),
      });
    }
    next();
  };
}

const TOKEN_INVALID = { error: 'invalid_token', error_description: 'the access token is not valid' };

/** Names no error to a request that presented nothing. @see RFC 6750 §3 */
function challenge(
  { challenge: { scope, resourceMetadata } }: TokenRule,
  problem: Record<string, string> = {},
): string {
  const parameters = Object.entries({ ...problem, resource_metadata: resourceMetadata, scope });
  return `Bearer ${parameters.flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`])).join(', ')}`;
}

/** Lets a request with the admin token go on. */
export function requireAdmin(isAdminToken: (presented: string | undefined) => boolean, limits: Limits): RequestHandler {
  return (req, res, next) => {
    const token = bearerToken(req.headers.authorization);
    if (token !== undefined) limits.refuseGuesser(req);
    if (isAdminToken(token)) {
      setAdmin(res);
      next();
      return;
    }
    if (token !== undefined) limits.countWrongGuess(req);
    throw new RefusalWithHeaders('unauthorized', 'present the admin token: Authorization: Bearer TOKEN', {
      'WWW-Authenticate': 'Bearer',
    });
  };
}
