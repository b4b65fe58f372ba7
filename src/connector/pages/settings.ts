import { z } from 'zod';
import { type Account, enabledChannels } from '../domain/account.ts';
import { CHANNEL_MAX_CHARACTERS } from '../domain/channel.ts';
import type { BrowserSession } from '../ports/store.ts';
import { csrfField, defineForm } from './define-form.ts';
import { type Page, signInFirst } from './define-page.ts';
import { type Html, html, NOTHING } from './html.ts';
import { page } from './layout.ts';
import type { PageDeps } from './page-deps.ts';

const PATH = '/settings';

interface Notice {
  text: string;
  isWarning?: boolean;
}

const SAVED: Notice = { text: 'Saved.' };
const LATER: Notice = {
  text: 'Saved. The bouncer does not answer at the moment; it will follow when it is back.',
  isWarning: true,
};

/** Where a person sees what their agents may do. @spec connector#browser-pages */
export const settingsPage: Page = {
  path: PATH,
  show: async ({ req, deps, session }) => {
    const person = await session();
    if (person === undefined) return signInFirst(PATH);
    return { page: await settings(deps, person, req.query['saved'] === '1' ? SAVED : undefined) };
  },
};

const Channel = z.string().max(CHANNEL_MAX_CHARACTERS);

/** Chooses the channels. @spec connector#browser-pages */
export const channelsForm = defineForm({
  path: PATH,
  // A browser sends one field for each ticked box: none, one text, or a list.
  schema: z.object({ channel: z.union([Channel.transform((only) => [only]), z.array(Channel)]).default([]) }),
  handle: async ({ channel: channels }, { deps, session }) => {
    const isDone = await deps.services.enableChannels(session.accountId, channels);
    return isDone ? { goTo: `${PATH}?saved=1` } : { page: await settings(deps, session, LATER) };
  },
});

async function settings(deps: PageDeps, session: BrowserSession, notice: Notice | undefined): Promise<string> {
  const account = await deps.services.account(session.accountId);
  const body = html`<h1>Settings</h1>
<p class="lead">${signedIn(account, deps)}</p>
${notice === undefined ? NOTHING : html`<div class="notice${notice.isWarning === true ? ' warn' : ''}" role="status">${notice.text}</div>`}
${identityCard(account, deps)}
${channelsCard(account, session)}
${connectCard(deps)}
<form class="end" method="post" action="/logout">${csrfField(session)}<button class="button quiet small">Sign out</button></form>`;
  return page({ title: 'Settings', body });
}

function signedIn(account: Account, { services }: PageDeps): string {
  if (account.login === null) return 'Signed in. Somebody else has your login now: sign out and in again to see yours.';
  return `Signed in as ${account.login}${services.isOwner(account) ? ', owner' : ''}`;
}

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
${csrfField(session)}
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
