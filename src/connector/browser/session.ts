import type { CookieOptions, Request, Response } from 'express';
import { secretMatcher } from '../../kernel/http/bearer.ts';
import { BROWSER_SESSION_MAX_MS } from '../domain/limits.ts';
import { ConnectorError } from '../errors.ts';
import type { BrowserSession, BrowserSessionStore } from '../ports/browser-sessions.ts';

/** The prefix makes browsers refuse this cookie from other hosts, and over plain http except from loopback. @spec connector#authentication */
const COOKIE = '__Host-homeport';

export const COOKIE_OPTIONS: CookieOptions = { secure: true, httpOnly: true, sameSite: 'lax', path: '/' };

/** The value of a cookie of the request. */
export function cookieOf(req: Request, name: string): string | undefined {
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  return pairs.find(([key]) => key === name)?.[1];
}

/** Who is signed in in this browser. */
export async function currentSession(req: Request, sessions: BrowserSessionStore): Promise<BrowserSession | undefined> {
  const secret = cookieOf(req, COOKIE);
  return secret === undefined ? undefined : sessions.use(secret);
}

/** A new session for each sign-in, so that a session planted before it is useless. */
export async function beginSession(
  req: Request,
  res: Response,
  sessions: BrowserSessionStore,
  accountId: string,
): Promise<void> {
  await endSession(req, res, sessions);
  const secret = await sessions.create(accountId);
  res.cookie(COOKIE, secret, { ...COOKIE_OPTIONS, maxAge: BROWSER_SESSION_MAX_MS });
}

export async function endSession(req: Request, res: Response, sessions: BrowserSessionStore): Promise<void> {
  const secret = cookieOf(req, COOKIE);
  if (secret !== undefined) await sessions.destroy(secret);
  res.clearCookie(COOKIE, COOKIE_OPTIONS);
}

/** @throws ConnectorError csrf_refused for a form that another site made the browser send */
export function checkForm(req: Request, session: BrowserSession): void {
  const site = req.headers['sec-fetch-site'];
  const presented: unknown = (req.body as Record<string, unknown> | undefined)?.['csrf'];
  const isOurs = secretMatcher(session.csrfToken)(typeof presented === 'string' ? presented : undefined);
  if (!isOurs || (site !== undefined && site !== 'same-origin')) {
    throw new ConnectorError('csrf_refused', 'this form is out of date: go back, reload the page and try again');
  }
}

/** The path of ours to return to after sign-in; the settings page for any other text. */
export function safeReturn(next: unknown): string {
  const path = typeof next === 'string' ? next : '';
  return /^\/(?:settings|oauth\/interaction\/[A-Za-z0-9_-]+)$/.test(path) ? path : '/settings';
}
