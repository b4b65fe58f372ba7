import type { Response, Router } from 'express';
import { checkForm, currentSession } from '../browser/session.ts';
import { type Account, enabledChannels } from '../domain/account.ts';
import type { BrowserSession } from '../ports/browser-sessions.ts';
import { type Html, html, NOTHING } from './html.ts';
import { page } from './layout.ts';
import type { PageDeps } from './page-deps.ts';

interface Notice {
  text: string;
  isWarning?: boolean;
}

/** Where a person chooses what their agents may do. @spec connector#browser-pages */
export function mountSettings(router: Router, deps: PageDeps): void {
  router.get('/settings', async (req, res) => {
    const session = await currentSession(req, deps.sessions);
    if (session === undefined) res.redirect(303, '/login/idp?next=/settings');
    else await show(res, deps, session, req.query['saved'] === '1' ? { text: 'Saved.' } : undefined);
  });
  router.post('/settings', async (req, res) => {
    const session = await currentSession(req, deps.sessions);
    if (session === undefined) {
      res.redirect(303, '/login?next=/settings');
      return;
    }
    checkForm(req, session);
    const account = await deps.services.account(session.accountId);
    const isDone = await deps.services.enableChannels(account, chosen(req.body));
    if (isDone) res.redirect(303, '/settings?saved=1');
    else await show(res, deps, session, LATER);
  });
}

const LATER: Notice = {
  text: 'Saved. The bouncer does not answer at the moment; it will follow when it is back.',
  isWarning: true,
};

function chosen(body: unknown): string[] {
  const { channel } = (body ?? {}) as { channel?: unknown };
  return [channel].flat().filter((value): value is string => typeof value === 'string');
}

async function show(res: Response, deps: PageDeps, session: BrowserSession, notice?: Notice): Promise<void> {
  const account = await deps.services.account(session.accountId);
  const body = html`<h1>Settings</h1>
<p class="lead">Signed in as ${account.login}${deps.services.isOwner(account.login) ? ', owner' : ''}</p>
${notice === undefined ? NOTHING : html`<div class="notice${notice.isWarning === true ? ' warn' : ''}" role="status">${notice.text}</div>`}
${identityCard(account, deps)}
${channelsCard(account, session)}
${connectCard(deps)}
<form class="end" method="post" action="/logout">${csrf(session)}<button class="button quiet small">Sign out</button></form>`;
  res.send(page({ title: 'Settings', body }));
}

const csrf = ({ csrfToken }: BrowserSession): Html => html`<input type="hidden" name="csrf" value="${csrfToken}">`;

const identityCard = (account: Account, { network }: PageDeps): Html => html`<section class="card">
<h2>On IRC</h2>
<dl>
<dt>Nick</dt><dd><code>${account.nick}</code></dd>
<dt>Network</dt><dd>${network.name} <span class="note">${network.address}</span></dd>
<dt>State</dt><dd>${account.isOnline ? html`<span class="badge">online</span>` : html`<span class="badge off">offline</span>`}</dd>
</dl>
</section>`;

function channelsCard(account: Account, session: BrowserSession): Html {
  if (account.grants.length === 0) {
    return html`<section class="card"><h2>Channels</h2><p class="note">The owner has granted you no channel yet.</p></section>`;
  }
  const enabled = enabledChannels(account);
  const rows = account.grants.map(
    ({ channel }) =>
      html`<li><label class="row"><input type="checkbox" name="channel" value="${channel}"${
        enabled.includes(channel) ? html` checked` : NOTHING
      }><span>${channel}</span></label></li>`,
  );
  return html`<section class="card">
<form method="post" action="/settings">
<h2>Channels</h2>
<p class="note">Your agents see and write to the channels you tick here, and to no others.</p>
${csrf(session)}
<ul class="plain">${rows}</ul>
<div class="actions"><button class="button">Save channels</button></div>
</form>
</section>`;
}

const connectCard = ({ baseUrl }: PageDeps): Html => html`<section class="card">
<h2>Connect an agent</h2>
<p class="note">Give this address to an AI agent that speaks MCP. It asks for your consent here.</p>
<p><code>${baseUrl}/mcp</code></p>
</section>`;
