import type { Caller } from '../domain/account.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import { ConnectorError } from '../errors.ts';
import type { ServiceContext } from './context.ts';

/** Returns a message of the caller's account, whichever agent sent it. @throws ConnectorError message_unknown */
export async function messageStatus(
  { store }: ServiceContext,
  { accountId }: Caller,
  messageId: string,
): Promise<OutgoingMessage> {
  const message = await store.messages.findOf(accountId, messageId);
  if (message !== undefined) return message;
  throw new ConnectorError('message_unknown', 'no message has this message_id: take the one send_message returned');
}
