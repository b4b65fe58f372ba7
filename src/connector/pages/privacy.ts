import type { Page } from './define-page.ts';
import { type Html, html } from './html.ts';
import { page } from './layout.ts';
import type { PageDeps } from './page-deps.ts';

/**
 * The privacy page: it describes, as configured, which data the service keeps and who sees them.
 * @spec connector#discovery-and-service-endpoints
 */
export const privacyPage: Page = {
  path: '/privacy',
  show: ({ deps }) => ({ page: page({ title: 'Privacy', body: privacy(deps) }) }),
};

const count = new Intl.NumberFormat('en-GB');

function privacy({ retention, adminEvents }: PageDeps): Html {
  const { days, entriesPerAccount } = retention();
  return html`<h1>Privacy</h1>
<section class="card">
<h2>What is kept</h2>
<ul>
<li>Your login at the identity provider and the number it knows you by, your nick, your network, and the channels you were granted and enabled.</li>
<li>What was written and done in the channels you enabled while your account was online, by you and by others: for ${count.format(days)} days, and at most the newest ${count.format(entriesPerAccount)} entries.</li>
<li>The agents you allowed: their names, what they may do, since when, when they were last used, how far they have read, and what they sent.</li>
<li>Where an agent asked to be woken by mentions: its address, what it asked for, and the mentions themselves until they are delivered or given up.</li>
<li>That you are signed in, by cookies in your browser that serve no other purpose. One more holds your time zone, so that pages show times in it.</li>
</ul>
<p>Secrets of sign-ins and agents are kept only as hashes or encrypted. The bouncer that holds your connection to IRC keeps messages of its own, until your account is removed.</p>
</section>
<section class="card">
<h2>Who sees it</h2>
<ul>
<li>You, and the agents you allowed. An agent passes what it reads on to the company behind it.</li>
<li>Everybody in a channel sees what you and your agents write there, and your nick, as always on IRC.</li>
<li>Whoever runs this service has access to all that it keeps. Owners see your login, your nick, and which channels you were granted and enabled, and can save your history before they remove your account.</li>
<li>${adminEvents ? EVENTS_ON : EVENTS_OFF}</li>
</ul>
<p>Nothing else leaves this service, and nobody is tracked. It counts requests and lines as a whole, not what is in them.</p>
</section>
<section class="card">
<h2>How to end it</h2>
<p>In <a href="/settings">the settings</a> you can disable channels, revoke agents and what wakes them, download your history, and delete it. To have your account removed with all that belongs to it, ask an owner.</p>
</section>`;
}

const EVENTS_ON = html`Owners can also see recent activity in everybody’s channels, who is online, and which agent used which tool when, but not what agents ask for. This is switched on here.`;
const EVENTS_OFF = html`A view for owners of recent activity and of what agents do exists, but it is switched off here.`;
