import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { bearerToken } from '../../kernel/http/bearer.ts';
import { askedBy } from '../database-time.ts';
import type { Scope } from '../domain/scope.ts';
import type { VerifyToken } from '../domain/verified-token.ts';
import { missingScope } from './missing-scope.ts';
import { RefusalWithHeaders } from './refusals.ts';
import type { Limits } from './request-limits.ts';
import { setAdmin, setRequester } from './requester.ts';

/** Requirements of a route for access tokens. */
export interface TokenRule {
  /** Scope that the token must have. A route without it checks scopes itself. */
  scope?: Scope;
  /** Address of the metadata that a challenge names. @see RFC 9728 §5.1 */
  resourceMetadata?: string;
}

/** Parts that the check of a token needs. */
export interface TokenGuards {
  verifyToken: VerifyToken;
  limits: Limits;
  /** Page where a person sees the access of their clients. */
  settingsUrl: string;
}

/** Lets a request go on if it has a valid access token, and its client and account are within their limits. */
export function requireToken(rule: TokenRule, { verifyToken, limits, settingsUrl }: TokenGuards): RequestHandler {
  return async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    const token = bearerToken(req.headers.authorization);
    const verified = token === undefined ? undefined : await verifyToken(token);
    if (token === undefined || verified === undefined) {
      const problem = req.headers.authorization === undefined ? {} : TOKEN_INVALID;
      throw new RefusalWithHeaders('token_invalid', 'present a valid access token: Authorization: Bearer TOKEN', {
        'WWW-Authenticate': challenge(rule, problem),
      });
    }
    const requester = { ...verified, token };
    setRequester(res, requester);
    askedBy(verified.accountId);
    limits.countClient(requester);
    limits.countAnswer(requester, res);
    if (rule.scope !== undefined && !verified.scopes.includes(rule.scope)) {
      const { scopes, description } = missingScope(rule.scope, verified.scopes, settingsUrl);
      throw new RefusalWithHeaders('scope_missing', description, {
        'WWW-Authenticate': challenge(rule, {
          error: 'insufficient_scope',
          error_description: description,
          scope: scopes.join(' '),
        }),
      });
    }
    next();
  };
}

/**
 * Headers of a refusal for a request without a token, for example with an unsupported method: clients look for the
 * challenge in the answer to their first request. Empty for a request that has a token.
 * @see RFC 9110 §11.6.1
 */
export const challengeWithoutToken = (rule: TokenRule, { headers }: Request): Record<string, string> =>
  headers.authorization === undefined ? { 'WWW-Authenticate': challenge(rule, {}) } : {};

const TOKEN_INVALID = { error: 'invalid_token', error_description: 'the access token is not valid' };

/**
 * The challenge names no error if the request has no token, and a scope only if the client lacks it: a client that
 * reads a scope at first never asks for another one.
 * @see RFC 6750 §3
 */
function challenge({ resourceMetadata }: TokenRule, problem: Record<string, string>): string {
  const parameters = Object.entries({ ...problem, resource_metadata: resourceMetadata }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value}"`],
  );
  return parameters.length === 0 ? 'Bearer' : `Bearer ${parameters.join(', ')}`;
}

/** Lets a request with the admin token go on, and a request without a token if `others` admits it. */
export function requireAdmin(
  isAdminToken: (presented: string | undefined) => boolean,
  limits: Limits,
  others: (req: Request) => Promise<boolean> = async () => false,
): RequestHandler {
  return async (req, res, next) => {
    const token = bearerToken(req.headers.authorization);
    if (token !== undefined) limits.refuseGuesser(req);
    if (isAdminToken(token) || (req.headers.authorization === undefined && (await others(req)))) {
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
