import { safeReturn } from '../browser/safe-return.ts';
import { ConnectorError } from '../errors.ts';
import type { Page } from './define-page.ts';
import { html } from './html.ts';
import { page } from './layout.ts';

/** The page where sign-in begins for a person who opens the site directly. @spec connector#browser-pages */
export const signInPage: Page = {
  path: '/login',
  show: async ({ req, session }) => {
    const next = safeReturn(req.query['next']);
    return (await session()) === undefined ? { page: invitation(next) } : { goTo: next };
  },
};

/** Sends the browser to the identity provider. */
export const signInDeparture: Page = {
  path: '/login/idp',
  show: async ({ req, res, deps }) => {
    const { url, attempt } = await deps.identityProvider.start();
    deps.signInCookies.remember(req, res, { ...attempt, next: safeReturn(req.query['next']) });
    return { goTo: url };
  },
};

/**
 * Receives the browser from the identity provider; from here on the person is signed in.
 * @spec connector#browser-pages
 */
export const signInReturn: Page = {
  path: '/login/idp/callback',
  show: async ({ req, res, deps }) => {
    const pending = deps.signInCookies.take(req, res, req.query['state']);
    if (pending === undefined) {
      throw new ConnectorError(
        'sign_in_failed',
        'this sign-in was not started in this browser, or too long ago: start again',
      );
    }
    const identity = await deps.identityProvider.finish(new URL(req.originalUrl, deps.baseUrl), pending);
    const { accountId } = await deps.services.signIn(identity);
    await deps.sessions.begin(req, res, accountId);
    return { goTo: pending.next };
  },
};

const invitation = (next: string): string =>
  page({
    title: 'Sign in',
    isNarrow: true,
    body: html`<div class="card">
<h1>Sign in</h1>
<p class="lead">Choose which IRC channels your AI agents may follow and write to.</p>
<div class="actions"><a class="button" href="/login/idp?next=${encodeURIComponent(next)}">Continue to sign-in</a></div>
</div>`,
  });
