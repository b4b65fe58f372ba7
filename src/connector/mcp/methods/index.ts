import type { Method } from './define-method.ts';
import { eventsList } from './events-list.ts';
import { eventsSubscribe } from './events-subscribe.ts';
import { eventsUnsubscribe } from './events-unsubscribe.ts';

/**
 * Our methods beside those of the protocol, which the library answers.
 * @spec connector#mcp-event-methods-at-mcp-authenticated
 */
export const methods: readonly Method[] = [eventsList, eventsSubscribe, eventsUnsubscribe];
