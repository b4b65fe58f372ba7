import type { Request, RequestHandler, Response } from 'express';
import type { VerifiedToken } from '../domain/verified-token.ts';

/** The form of a refusal. */
export type Language = 'json' | 'jsonrpc' | 'oauth' | 'page';

/** The requester: an account, by one of its clients. */
export interface Requester extends VerifiedToken {
  token: string;
}

/** Facts about one request that the edge has found out so far. */
interface Exchange {
  language?: Language;
  requester?: Requester;
  isAdmin?: boolean;
}

const exchanges = new WeakMap<Response, Exchange>();

function exchangeOf(res: Response): Exchange {
  const known = exchanges.get(res);
  if (known !== undefined) return known;
  const begun: Exchange = {};
  exchanges.set(res, begun);
  return begun;
}

/** Sets the form of all refusals from here on. */
export function speak(language: Language): RequestHandler {
  return (_req, res, next) => {
    exchangeOf(res).language = language;
    next();
  };
}

/** Like `speak`, but a person who opens the address in a browser gets a page. */
export function speakToPrograms(language: Language): RequestHandler {
  return (req, res, next) => {
    if (!prefersPage(req)) exchangeOf(res).language = language;
    next();
  };
}

/** Whether a page is preferred: browsers ask for HTML, programs for anything. */
export const prefersPage = (req: Request): boolean => req.accepts(['json', 'html']) === 'html';

/** The form of refusals; undefined on a route without one, where the `Accept` header decides. */
export const languageOf = (res: Response): Language | undefined => exchanges.get(res)?.language;

export function setRequester(res: Response, requester: Requester): void {
  exchangeOf(res).requester = requester;
}

/** @throws Error on a route that checks no token */
export function requesterOf(res: Response): Requester {
  const requester = exchanges.get(res)?.requester;
  if (requester === undefined) throw new Error('who asks is known only on routes that check a token');
  return requester;
}

export function setAdmin(res: Response): void {
  exchangeOf(res).isAdmin = true;
}

/** Whether the request had no valid access token and no admin token. */
export function isStranger(res: Response): boolean {
  const { requester, isAdmin = false } = exchanges.get(res) ?? {};
  return requester === undefined && !isAdmin;
}
