import type { CallbackFailure } from '../../../ports/callbacks.ts';
import type { BrowserSession } from '../../../ports/store.ts';
import type { SubscriptionView } from '../../../services/list-subscriptions.ts';
import { csrfField } from '../../define-form.ts';
import { type Html, html, NOTHING } from '../../html.ts';
import type { Moments } from '../../moments.ts';
import { card } from '../card.ts';
import type { Notice } from '../result-notices.ts';

export interface EventsCardContent {
  session: BrowserSession;
  notice: Notice | undefined;
  subscriptions: readonly SubscriptionView[];
  /** Client → the name by which the person knows it. */
  names: ReadonlyMap<string, string>;
  moments: Moments;
}

const STATES: Record<SubscriptionView['state'], string> = {
  idle: 'nothing was sent yet',
  queued: 'a mention waits to be sent',
  accepted: 'the last mention was accepted',
  failed: 'the last mention could not be delivered',
};

const FAILURES: Record<CallbackFailure, string> = {
  connection_refused: 'it can’t be reached',
  timeout: 'it did not answer in time',
  tls_error: 'its certificate is not good',
  http_4xx: 'it refused the message',
  http_5xx: 'it reported a fault of its own',
  challenge_failed: 'it did not prove that it wants messages',
};

/** The agents that a mention wakes. @spec connector#events */
export function eventsCard({ session, notice, subscriptions, names, moments }: EventsCardContent): Html {
  const body =
    subscriptions.length === 0
      ? html`<p class="note">No agent is woken when somebody mentions you.</p>`
      : html`<p class="note">When somebody mentions you, this service sends what they wrote to the agent’s own server.</p>
<ul class="plain items">${subscriptions.map((each) => row(session, each, { name: names.get(each.clientId) ?? each.clientName, moments }))}</ul>`;
  return card({ id: 'events', title: 'Events', notice, body });
}

const row = (
  session: BrowserSession,
  subscription: SubscriptionView,
  { name, moments }: { name: string; moments: Moments },
): Html => html`<li>
<div>
<strong>${name}</strong>${subscription.isPaused ? html` <span class="badge off">paused</span>` : NOTHING}
<p>${matched(subscription)}</p>
${subscription.isPaused ? html`<p class="note">Its channel is not enabled: enable it, and mentions are sent again.</p>` : NOTHING}
<p class="note">Sent to <code>${subscription.callbackHost}</code>: ${STATES[subscription.state]}.${failure(subscription, moments)}${droppedOf(subscription)}</p>
<p class="note">Since ${moments.day(subscription.createdAt)}, until ${moments.minute(subscription.expiresAt)} unless the agent asks again.</p>
</div>
<form method="post" action="/settings/events/revoke">${csrfField(session)}<input type="hidden" name="subscription" value="${subscription.subscriptionId}"><button class="button quiet small">Revoke<span class="unseen"> events of ${name}</span></button></form>
</li>`;

/** Number of dropped deliveries: the receiver is away, or slower than people write. */
const droppedOf = ({ droppedCount }: SubscriptionView): string =>
  droppedCount === 0
    ? ''
    : ` ${droppedCount} ${droppedCount === 1 ? 'mention was' : 'mentions were'} given up, because too many waited, or for too long.`;

function matched({ filters: { network, channel, sender, keyword } }: SubscriptionView): Html {
  return html`Mentions of you in ${channel === undefined ? 'every enabled channel' : html`<code>${channel}</code>`}${
    network === undefined ? NOTHING : html` on <code>${network}</code>`
  }${sender === undefined ? NOTHING : html`, written by <code>${sender}</code>`}${
    keyword === undefined ? NOTHING : html`, with the words <q>${keyword}</q>`
  }`;
}

const failure = ({ failingSince, lastFailure }: SubscriptionView, moments: Moments): Html =>
  failingSince === null || lastFailure === null
    ? NOTHING
    : html` Attempts fail since ${moments.minute(failingSince)}: ${FAILURES[lastFailure]}.`;
