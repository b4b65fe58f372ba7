import type { Request, RequestHandler, Response } from 'express';
import type { VerifiedToken } from '../domain/verified-token.ts';

/** In which form a refusal is answered. */
export type Language = 'json' | 'jsonrpc' | 'oauth' | 'page';

/** Who asks: an account, by one of its clients. */
export interface Requester extends VerifiedToken {
  token: string;
}

/** What the edge has learned about one request. */
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

/** What is refused from here on is answered in this language. */
export function speak(language: Language): RequestHandler {
  return (_req, res, next) => {
    exchangeOf(res).language = language;
    next();
  };
}

/** The same, but a person who opens the address in a browser gets a page. */
export function speakToPrograms(language: Language): RequestHandler {
  return (req, res, next) => {
    if (!prefersPage(req)) exchangeOf(res).language = language;
    next();
  };
}

/** People ask for HTML, programs for anything. */
export const prefersPage = (req: Request): boolean => req.accepts(['json', 'html']) === 'html';

/** Undefined on a route that named none: the `Accept` header decides. */
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

/** A stranger has proved nothing: neither a valid access token nor the admin token came with the request. */
export function isStranger(res: Response): boolean {
  const { requester, isAdmin = false } = exchanges.get(res) ?? {};
  return requester === undefined && !isAdmin;
}
