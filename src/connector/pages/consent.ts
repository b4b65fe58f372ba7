import { z } from 'zod';
import { SCOPE_MEANING, SCOPES, type Scope } from '../domain/scope.ts';
import type { PendingConsent } from '../ports/consent-desk.ts';
import type { BrowserSession } from '../ports/store.ts';
import { csrfField, defineForm, type Submission } from './define-form.ts';
import { type Outcome, type Page, signInFirst, type Visit } from './define-page.ts';
import { type Html, html, NOTHING } from './html.ts';
import { messagePage, page } from './layout.ts';

const PATH = '/oauth/interaction/:uid';

/** Page where a person decides about a client's access; shown at every authorization. @spec connector#authentication */
export const consentPage: Page = {
  path: PATH,
  show: async (visit) => {
    const pending = await visit.deps.consentDesk.pending(visit.req, visit.res);
    if (pending === undefined) return over();
    if (pending === 'client_gone') return clientGone();
    const person = await visit.session();
    if (person === undefined) return signInFirst(visit.req.path);
    await visit.deps.consentDesk.attend(visit.req, visit.res, person.accountId);
    return { page: await question(visit, pending, person) };
  },
};

const ScopeField = z.enum(SCOPES);

export const consentForm = defineForm({
  path: PATH,
  schema: z.object({
    decision: z.enum(['allow', 'deny']),
    // A browser sends one field for each ticked box: an absent value, one text, or a list.
    scope: z.union([ScopeField.transform((only) => [only]), z.array(ScopeField)]).default([]),
  }),
  handle: async ({ decision, scope: ticked }, submission) => {
    const { req, res, deps, session } = submission;
    const pending = await deps.consentDesk.pending(req, res);
    if (pending === undefined) return over();
    if (pending === 'client_gone') return clientGone();
    if (decision === 'deny') return { goTo: await deps.consentDesk.deny(req, res) };
    const scopes = pending.scopes.filter((scope) => ticked.includes(scope));
    if (scopes.length === 0) return { status: 422, page: await question(submission, pending, session, NOTHING_TICKED) };
    return { goTo: await deps.consentDesk.approve(req, res, { accountId: session.accountId, scopes }) };
  },
});

const NOTHING_TICKED = 'Nothing is ticked. Tick what the app may do, or decline.';

const over = (): Outcome => ({
  status: 400,
  page: messagePage(
    'This request is over',
    'It took too long, or it was begun in another browser. Start again in the app that asked.',
    { href: '/settings', label: 'Go to settings' },
  ),
});

const clientGone = (): Outcome => ({
  status: 400,
  page: messagePage(
    'The app is not known here any more',
    'It registered here, but too long ago, or many others have registered since. Remove the connection in the app, and add it anew.',
    { href: '/settings', label: 'Go to settings' },
  ),
});

async function question(
  { req, deps }: Pick<Visit | Submission, 'req' | 'deps'>,
  pending: PendingConsent,
  session: BrowserSession,
  problem?: string,
): Promise<string> {
  const { login, nick } = await deps.services.account(session.accountId);
  const { clientName, redirectUri, scopes } = pending;
  return page({
    title: 'Allow access',
    isNarrow: true,
    body: html`<div class="card">
<h1>Allow ${clientName}?</h1>
<p class="lead" id="asked">It wants to use IRC as ${login ?? nick}. Untick what it may not do:</p>
${problem === undefined ? NOTHING : html`<div class="notice warn" role="alert">${problem}</div>`}
<form method="post" action="${req.path}">
${csrfField(session)}
<div role="group" aria-labelledby="asked">
<ul class="plain">${scopes.map((scope) => box(scope, problem === undefined))}</ul>
</div>
<p class="note">${whoSaysSo(pending)} ${whereNext(redirectUri)}</p>
${warning(redirectUri)}
<div class="actions">
<button class="button" name="decision" value="allow">Allow</button>
<button class="button quiet" name="decision" value="deny">Decline</button>
</div>
</form>
</div>`,
  });
}

const box = (scope: Scope, isTicked: boolean): Html =>
  html`<li><label class="row"><input type="checkbox" name="scope" value="${scope}"${isTicked ? html` checked` : NOTHING}><span>${SCOPE_MEANING[scope]}</span></label></li>`;

const whoSaysSo = ({ vouchedBy }: PendingConsent): Html =>
  vouchedBy === undefined
    ? html`The name above is what the app calls itself.`
    : html`The name above is what <code>${vouchedBy}</code> calls the app.`;

function whereNext(redirectUri: string): Html {
  const { protocol, host, hostname } = new URL(redirectUri);
  switch (protocol) {
    case 'https:':
      return html`You will be sent to <code>${hostname}</code>.`;
    case 'http:':
      return html`You will be sent to <code>${host}</code>.`;
    default:
      return html`Your browser will open the app that has <code>${protocol}</code> links.`;
  }
}

/** Warns about addresses on the person's machine, where another program could wait, too. */
function warning(redirectUri: string): Html {
  switch (new URL(redirectUri).protocol) {
    case 'https:':
      return NOTHING;
    case 'http:':
      return html`<div class="notice warn">It runs on your own computer. Allow it only if you have just started it there.</div>`;
    default:
      return html`<div class="notice warn">It is an app on your own computer. Allow it only if you have just asked it to connect.</div>`;
  }
}
