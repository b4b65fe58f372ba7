import { z } from 'zod';
import { SUBSCRIPTION_STATES } from '../ports/subscription-store.ts';
import type { MentionEvents } from '../services/list-subscriptions.ts';
import { Instant, isoTime } from '../wire/entry-output.ts';
import { FilterOutput } from './event-shapes.ts';

/** A client's own mention subscriptions, as results show them: without addresses and secrets. @spec connector#events */
export const MentionEventsOutput = z.object({
  state: z
    .enum(['not_subscribed', ...SUBSCRIPTION_STATES])
    .describe(
      'Of your own webhooks for mentions. idle: subscribed, nothing to deliver yet. queued: a delivery waits for its first or next attempt. accepted: the receiver took the newest one. failed: it did not.',
    ),
  dropped: z
    .int()
    .describe(
      'How many mentions were never delivered, because too many waited or one waited for a day. Not 0: read_history in unread mode has them.',
    ),
  subscriptions: z.array(
    z.object({
      id: z.string(),
      filters: FilterOutput,
      paused: z.boolean().describe('Whether its channel is disabled at the moment.'),
      expiresAt: Instant,
      state: z.enum(SUBSCRIPTION_STATES),
      dropped: z.int().describe('The same of this subscription, since it began.'),
    }),
  ),
});

export const wireMentionEvents = ({ state, subscriptions }: MentionEvents): z.input<typeof MentionEventsOutput> => ({
  state,
  dropped: subscriptions.reduce((sum, { droppedCount }) => sum + droppedCount, 0),
  subscriptions: subscriptions.map((each) => ({
    id: each.subscriptionId,
    filters: each.filters,
    paused: each.isPaused,
    expiresAt: isoTime(each.expiresAt),
    state: each.state,
    dropped: each.droppedCount,
  })),
});
