import type { Request, Response, Router } from 'express';
import { checkForm, currentSession } from '../browser/session.ts';
import { SCOPE_MEANING } from '../domain/scope.ts';
import { contentPolicy } from '../http/content-policy.ts';
import type { BrowserSession } from '../ports/browser-sessions.ts';
import type { PendingConsent } from '../ports/consent-desk.ts';
import { html, NOTHING } from './html.ts';
import { messagePage, page } from './layout.ts';
import type { PageDeps } from './page-deps.ts';

const PATH = '/oauth/interaction/:uid';

/** Where a person decides what a client may do; asked at every authorization. @spec connector#authentication */
export function mountConsent(router: Router, deps: PageDeps): void {
  router.get(PATH, async (req, res) => {
    const pending = await deps.consentDesk.pending(req, res);
    if (pending === undefined) return expired(res);
    const session = await currentSession(req, deps.sessions);
    if (session === undefined) return res.redirect(303, `/login/idp?next=${encodeURIComponent(req.path)}`);
    const { login } = await deps.services.account(session.accountId);
    // Browsers apply form-action also to the address that the form's answer redirects to.
    res.set('Content-Security-Policy', contentPolicy(new URL(pending.redirectUri).origin));
    return res.send(consentPage(req.path, pending, session, login));
  });
  router.post(PATH, (req, res) => decide(req, res, deps));
}

async function decide(req: Request, res: Response, deps: PageDeps): Promise<void> {
  const session = await currentSession(req, deps.sessions);
  if (session === undefined) return res.redirect(303, `/login/idp?next=${encodeURIComponent(req.path)}`);
  checkForm(req, session);
  if ((await deps.consentDesk.pending(req, res)) === undefined) return expired(res);
  const { decision } = req.body as { decision?: unknown };
  const next =
    decision === 'allow'
      ? await deps.consentDesk.approve(req, res, session.accountId)
      : await deps.consentDesk.deny(req, res);
  res.redirect(303, next);
}

function expired(res: Response): void {
  res.status(400).send(
    messagePage(
      'This request is over',
      'It took too long, or it was begun in another browser. Start again in the app that asked.',
      {
        href: '/settings',
        label: 'Go to settings',
      },
    ),
  );
}

function consentPage(
  action: string,
  { clientName, redirectUri, scopes }: PendingConsent,
  session: BrowserSession,
  login: string,
): string {
  const { hostname, host, protocol } = new URL(redirectUri);
  const isLocal = protocol === 'http:';
  return page({
    title: 'Allow access',
    isNarrow: true,
    body: html`<div class="card">
<h1>Allow ${clientName}?</h1>
<p class="lead">It wants to use IRC as ${login}:</p>
<ul class="plain">${scopes.map((scope) => html`<li class="scope"><span>${SCOPE_MEANING[scope]}</span></li>`)}</ul>
<p class="note">You will be sent to <code>${isLocal ? host : hostname}</code>. The name above is what the app calls itself.</p>
${isLocal ? html`<div class="notice warn">It runs on your own computer. Allow it only if you have just started it there.</div>` : NOTHING}
<form method="post" action="${action}">
<input type="hidden" name="csrf" value="${session.csrfToken}">
<div class="actions">
<button class="button" name="decision" value="allow">Allow</button>
<button class="button quiet" name="decision" value="deny">Decline</button>
</div>
</form>
</div>`,
  });
}
