import type { Account } from '../../domain/account.ts';
import type { BrowserSession } from '../../ports/store.ts';
import type { PeopleRequest } from '../../services/list-people.ts';
import { csrfField } from '../define-form.ts';
import { type Html, html } from '../html.ts';
import { page } from '../layout.ts';
import type { ReaderDeps } from '../page-deps.ts';
import { script } from '../script.ts';
import { agentsCard, nameOf } from './cards/agents-card.ts';
import { channelsCard } from './cards/channels-card.ts';
import { connectCard } from './cards/connect-card.ts';
import { eventsCard } from './cards/events-card.ts';
import { historyCard } from './cards/history-card.ts';
import { ircCard } from './cards/irc-card.ts';
import { loginCard } from './cards/login-card.ts';
import { peopleCard } from './cards/people-card.ts';
import type { RefusedText } from './refused-text.ts';
import type { Notice } from './result-notices.ts';

export interface SettingsRequest {
  /** Outcome of the last form. */
  notice?: Notice | undefined;
  refused?: RefusedText;
  /** The people that an owner sees. */
  people?: PeopleRequest;
}

/** The settings page of the person, as a document. @spec connector#browser-pages */
export async function settingsView(
  { services, baseUrl, ircChannels, retention, moments }: ReaderDeps,
  session: BrowserSession,
  { notice, refused, people: asked = {} }: SettingsRequest = {},
): Promise<string> {
  const { accountId } = session;
  const account = await services.account(accountId);
  const isOwner = services.isOwner(account);
  const [status, networks, logins, agents, subscriptions, isHistoryBeingDeleted, people] = await Promise.all([
    services.ircStatus(accountId),
    services.networks(accountId),
    services.networkLogins(accountId),
    services.agents(accountId),
    services.subscriptions(accountId),
    services.isHistoryBeingDeleted(accountId),
    isOwner ? services.people(asked) : undefined,
  ]);
  const each = { session, notice, moments };
  const names = new Map(agents.map((agent) => [agent.clientId, nameOf(agent)]));
  const cards = [
    ircCard({ ...each, account, status, networks, refused }),
    loginCard({ ...each, status, logins, refused }),
    channelsCard({ ...each, account, status }),
    agentsCard({ ...each, agents, makesTokens: services.allowsPersonalTokens(), refused }),
    eventsCard({ ...each, subscriptions, names }),
    historyCard({ ...each, retention: retention(), isBeingDeleted: isHistoryBeingDeleted }),
    connectCard(baseUrl),
    ...(people === undefined
      ? []
      : [peopleCard({ ...each, people, search: asked.search ?? '', ircChannels, refused })]),
  ];
  const body = html`<div class="top">
<div>
<h1>Settings</h1>
<p class="lead">${signedIn(account, isOwner)}</p>
</div>
<form method="post" action="/logout">${csrfField(session)}<button class="button quiet small">Sign out</button></form>
</div>
${contents(isOwner)}
${cards}`;
  // A page with a refusal answers a form, and must not be loaded once more.
  return refused === undefined
    ? page({ title: 'Settings', body, head: script(moments.zone) })
    : page({ title: 'Not saved – Settings', body });
}

function signedIn({ login }: Account, isOwner: boolean): string {
  if (login === null) return 'Signed in. Somebody else has your login now: sign out and in again to see yours.';
  return `Signed in as ${login}${isOwner ? ', owner' : ''}`;
}

const contents = (isOwner: boolean): Html => html`<nav aria-label="On this page"><ul class="contents">
<li><a href="#irc">On IRC</a></li>
<li><a href="#network-login">Login</a></li>
<li><a href="#channels">Channels</a></li>
<li><a href="#agents">Agents</a></li>
<li><a href="#events">Events</a></li>
<li><a href="#history">History</a></li>
<li><a href="#connect">Connect</a></li>
${isOwner ? [html`<li><a href="#people">People with access</a></li>`] : []}
</ul></nav>`;
