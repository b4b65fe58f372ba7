import type { Caller } from '../domain/account.ts';
import { newSecret } from '../domain/ids.ts';
import { MESSAGE_MAX_CHARACTERS } from '../domain/limits.ts';
import { splitText, type TextProblem, textBudgetBytes, textProblem } from '../domain/message-text.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import { accountOffline, ConnectorError } from '../errors.ts';
import type { KeyedMessage, NewPart } from '../ports/messages.ts';
import type { AccountSessions } from './account-sessions.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount, requireChannel, requireSession } from './require-account.ts';

const PROBLEMS: Record<TextProblem, string> = {
  empty: 'the text is empty',
  too_long: `the text is longer than ${MESSAGE_MAX_CHARACTERS} characters: send it in several messages`,
  not_one_line: 'the text must be one line without control characters: send each line as a message of its own',
};

export interface SendRequest {
  channel: string;
  text: string;
  idempotencyKey: string | undefined;
  /** The agent session that sends; its own sends are not unread for it. */
  sessionId?: string | undefined;
}

/**
 * Sends one message, once for each idempotency key of the calling client.
 * @throws ConnectorError channel_not_enabled, message_invalid, session_unknown, account_offline, bouncer_unreachable, idempotency_conflict
 */
export async function sendMessage(
  context: ServiceContext,
  sessions: AccountSessions,
  caller: Caller,
  request: SendRequest,
): Promise<OutgoingMessage> {
  const account = await requireAccount(context, caller.accountId);
  const channel = requireChannel(account, request.channel);
  const problem = textProblem(request.text);
  if (problem !== undefined) throw new ConnectorError('message_invalid', PROBLEMS[problem]);
  if (request.sessionId !== undefined) await requireSession(context, caller, request.sessionId);
  if (!account.isOnline) throw accountOffline();
  const session = sessions.of(caller.accountId);
  const message = await session.run(async () => {
    const earlier = await earlierSend(context, caller, { ...request, channel });
    if (earlier !== undefined && earlier.status !== 'failed') return earlier;
    const { nick } = session.requireLive();
    const parts = partsOf(request.text, textBudgetBytes(nick, channel));
    if (earlier !== undefined) return context.store.messages.renew(earlier.messageId, parts);
    const network = context.settings.network.name;
    const { text, idempotencyKey, sessionId } = request;
    return context.store.messages.create({ ...caller, idempotencyKey, sessionId, network, channel, nick, text, parts });
  });
  await session.flush();
  return (await context.store.messages.find(message.messageId)) ?? message;
}

/** The message the same client sent under the same key. */
async function earlierSend(
  { store }: ServiceContext,
  { accountId, clientId }: Caller,
  { channel, text, idempotencyKey }: SendRequest,
): Promise<KeyedMessage | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const earlier = await store.messages.findByKey(accountId, clientId, idempotencyKey);
  if (earlier !== undefined && (earlier.text !== text || earlier.channel !== channel)) {
    throw new ConnectorError(
      'idempotency_conflict',
      'this idempotency_key was used for another text or channel: the first message stands; use a new key for a new message',
    );
  }
  return earlier;
}

const partsOf = (text: string, budgetBytes: number): NewPart[] =>
  splitText(text, budgetBytes).map((part) => ({ text: part, tag: newSecret() }));
