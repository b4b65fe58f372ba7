import { callbackAddress, subscriptionIdOf } from '../../src/connector/domain/mention-event.ts';
import type { MentionFilters } from '../../src/connector/domain/mention-filters.ts';
import type { Subscribed } from '../../src/connector/ports/subscription-store.ts';
import { capturedLine, type OpenStore } from './open-store.ts';

const HOUR_MS = 3_600_000;

export const SECRETS = [1, 2, 3].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [
  string,
  string,
  string,
];

export interface SubscriptionChoice {
  client?: string;
  url?: string;
  secret?: string;
  filters?: MentionFilters;
  lifeMs?: number;
}

/** A subscription of a client that may read, put into the store without asking its callback. */
export async function subscribed(
  { store, consents, clock }: OpenStore,
  accountId: string,
  choice: SubscriptionChoice = {},
): Promise<{ subscriptionId: string; outcome: Subscribed }> {
  const { client: clientId = 'client', filters = {}, secret = SECRETS[0], lifeMs = HOUR_MS } = choice;
  const url = callbackAddress(choice.url ?? 'https://agent.example/hook');
  const grantHash = `${accountId} ${clientId}`;
  await consents.begin({ accountId, clientId, clientName: `The ${clientId}`, scopes: ['irc:read'], grantHash });
  const caller = { accountId, clientId };
  const subscriptionId = subscriptionIdOf({ ...caller, url, filters });
  const outcome = await store.subscriptions.put({
    ...{ ...caller, subscriptionId, filters, channel: filters.channel, callback: { url, secret } },
    ...{ verifiedAt: clock.now(), expiresAt: clock.now() + lifeMs, isRenewal: false },
  });
  return { subscriptionId, outcome };
}

/** Stores these texts as lines of another person, in order and at once. */
export async function heard(
  { store, clock }: OpenStore,
  accountId: string,
  texts: readonly string[],
  channel = '#room',
): Promise<void> {
  const lines = texts.map((text) => ({ line: capturedLine(text, clock.now(), channel), own: undefined }));
  await store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
}

/** Returns the text in the body of an event. */
export const textIn = (body: string): string => (JSON.parse(body) as { data: { text: string } }).data.text;
