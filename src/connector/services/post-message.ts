import type { Caller } from '../domain/account.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import { bouncerUnreachable } from '../errors.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount, requirePathChannel } from './require-account.ts';
import { sendMessage } from './send-message.ts';

/**
 * Sends a message like `sendMessage`, within the account's rate per minute; only accepted messages count.
 * @spec connector#limits post rate
 * @throws ConnectorError rate_limited (RetryLater), channel_invalid, and those of `sendMessage`
 */
export async function postMessage(
  context: ServiceContext,
  caller: Caller,
  { channel, text }: { channel: string; text: string },
): Promise<OutgoingMessage> {
  requirePathChannel(await requireAccount(context, caller.accountId), channel);
  const message = await sendMessage(context, caller, { channel, text, idempotencyKey: undefined, isPost: true });
  if (message.status === 'failed') {
    // Counted for a minute if the database does not answer now.
    await context.store.messages.forgetPost(message.messageId).catch(() => undefined);
    throw bouncerUnreachable(new Error('the line could not be written'));
  }
  return message;
}
