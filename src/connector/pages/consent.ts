import { z } from 'zod';
import { SCOPE_MEANING } from '../domain/scope.ts';
import { allowFormTarget } from '../http/content-policy.ts';
import type { PendingConsent } from '../ports/consent-desk.ts';
import type { BrowserSession } from '../ports/store.ts';
import { csrfField, defineForm } from './define-form.ts';
import { type Outcome, type Page, signInFirst } from './define-page.ts';
import { html, NOTHING } from './html.ts';
import { messagePage, page } from './layout.ts';

const PATH = '/oauth/interaction/:uid';

/** Where a person decides what a client may do; asked at every authorization. @spec connector#authentication */
export const consentPage: Page = {
  path: PATH,
  show: async ({ req, res, deps, session }) => {
    const pending = await deps.consentDesk.pending(req, res);
    if (pending === undefined) return over();
    const person = await session();
    if (person === undefined) return signInFirst(req.path);
    const { login, nick } = await deps.services.account(person.accountId);
    allowFormTarget(res, new URL(pending.redirectUri).origin);
    return { page: question(req.path, pending, person, login ?? nick) };
  },
};

export const consentForm = defineForm({
  path: PATH,
  schema: z.object({ decision: z.enum(['allow', 'deny']) }),
  handle: async ({ decision }, { req, res, deps, session }) => {
    if ((await deps.consentDesk.pending(req, res)) === undefined) return over();
    const goTo =
      decision === 'allow'
        ? await deps.consentDesk.approve(req, res, session.accountId)
        : await deps.consentDesk.deny(req, res);
    return { goTo };
  },
  withoutSession: signInFirst,
});

const over = (): Outcome => ({
  status: 400,
  page: messagePage(
    'This request is over',
    'It took too long, or it was begun in another browser. Start again in the app that asked.',
    { href: '/settings', label: 'Go to settings' },
  ),
});

function question(
  action: string,
  { clientName, redirectUri, scopes }: PendingConsent,
  session: BrowserSession,
  name: string,
): string {
  const { hostname, host, protocol } = new URL(redirectUri);
  const isLocal = protocol === 'http:';
  return page({
    title: 'Allow access',
    isNarrow: true,
    body: html`<div class="card">
<h1>Allow ${clientName}?</h1>
<p class="lead">It wants to use IRC as ${name}:</p>
<ul class="plain">${scopes.map((scope) => html`<li class="scope"><span>${SCOPE_MEANING[scope]}</span></li>`)}</ul>
<p class="note">You will be sent to <code>${isLocal ? host : hostname}</code>. The name above is what the app calls itself.</p>
${isLocal ? html`<div class="notice warn">It runs on your own computer. Allow it only if you have just started it there.</div>` : NOTHING}
<form method="post" action="${action}">
${csrfField(session)}
<div class="actions">
<button class="button" name="decision" value="allow">Allow</button>
<button class="button quiet" name="decision" value="deny">Decline</button>
</div>
</form>
</div>`,
  });
}
