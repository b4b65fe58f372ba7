import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import {
  beginSession,
  COOKIE_OPTIONS,
  checkForm,
  cookieOf,
  currentSession,
  endSession,
  safeReturn,
} from '../browser/session.ts';
import { SIGN_IN_MAX_MS } from '../domain/limits.ts';
import { ConnectorError } from '../errors.ts';
import type { SignInAttempt } from '../ports/identity-provider.ts';
import { html } from './html.ts';
import { page } from './layout.ts';
import type { PageDeps } from './page-deps.ts';

const COOKIE = '__Host-homeport-sign-in';
/** Binds the sealed cookie to its use, so that no other sealed text is accepted in its place. */
const PLACE = 'sign-in cookie';

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  next: z.string(),
  startedAt: z.number(),
});

/** Sign-in with the identity provider, and sign-out. @spec connector#browser-pages */
export function mountSignIn(router: Router, deps: PageDeps): void {
  router.get('/login', async (req, res) => {
    const next = safeReturn(req.query['next']);
    if ((await currentSession(req, deps.sessions)) !== undefined) res.redirect(303, next);
    else res.send(signInPage(next));
  });
  router.get('/login/idp', async (req, res) => {
    const { url, attempt } = await deps.identityProvider.start();
    remember(res, deps, attempt, safeReturn(req.query['next']));
    res.redirect(303, url);
  });
  router.get('/login/idp/callback', (req, res) => finish(req, res, deps));
  router.post('/logout', async (req, res) => {
    const session = await currentSession(req, deps.sessions);
    if (session !== undefined) {
      checkForm(req, session);
      await endSession(req, res, deps.sessions);
      forgetAuthorizations(res, deps);
    }
    res.redirect(303, '/login');
  });
}

async function finish(req: Request, res: Response, deps: PageDeps): Promise<void> {
  const remembered = recall(req, deps);
  res.clearCookie(COOKIE, COOKIE_OPTIONS);
  if (remembered === undefined) {
    throw new ConnectorError(
      'sign_in_failed',
      'this sign-in was not started in this browser, or too long ago: start again',
    );
  }
  const identity = await deps.identityProvider.finish(new URL(req.originalUrl, deps.baseUrl), remembered);
  const account = await deps.services.signIn(identity);
  await beginSession(req, res, deps.sessions, account.accountId);
  forgetAuthorizations(res, deps);
  res.redirect(303, remembered.next);
}

function remember(res: Response, { seal, now }: PageDeps, attempt: SignInAttempt, next: string): void {
  const sealed = seal.close(JSON.stringify({ ...attempt, next, startedAt: now() }), PLACE);
  res.cookie(COOKIE, sealed, { ...COOKIE_OPTIONS, maxAge: SIGN_IN_MAX_MS });
}

/** Undefined where the cookie is missing, damaged or too old. */
function recall(req: Request, { seal, now }: PageDeps): z.infer<typeof Attempt> | undefined {
  const sealed = cookieOf(req, COOKIE);
  if (sealed === undefined) return undefined;
  try {
    const attempt = Attempt.parse(JSON.parse(seal.open(sealed, PLACE)));
    return now() - attempt.startedAt > SIGN_IN_MAX_MS ? undefined : attempt;
  } catch {
    // The cookie is not one that we wrote.
    return undefined;
  }
}

/** The authorization server forgets this browser when another person signs in. */
function forgetAuthorizations(res: Response, { authorizationCookies }: PageDeps): void {
  for (const name of authorizationCookies) res.clearCookie(name, COOKIE_OPTIONS);
}

const signInPage = (next: string): string =>
  page({
    title: 'Sign in',
    isNarrow: true,
    body: html`<div class="card">
<h1>Sign in</h1>
<p class="lead">Choose which IRC channels your AI agents may follow and write to.</p>
<div class="actions"><a class="button" href="/login/idp?next=${encodeURIComponent(next)}">Continue to sign-in</a></div>
</div>`,
  });
