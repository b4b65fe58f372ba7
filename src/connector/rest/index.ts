import type { Route } from './define-route.ts';
import { getStatus } from './get-status.ts';
import { listChannelMessages } from './list-channel-messages.ts';
import { postChannelMessage } from './post-channel-message.ts';

/** Every operation of the REST interface. @spec connector#rest-irc-endpoints */
export const routes: readonly Route[] = [getStatus, listChannelMessages, postChannelMessage];
