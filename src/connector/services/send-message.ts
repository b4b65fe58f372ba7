import type { Caller } from '../domain/account.ts';
import { MESSAGE_MAX_CHARACTERS } from '../domain/limits.ts';
import { splitText, type TextProblem, textBudgetBytes, textProblem } from '../domain/message-text.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import { accountOffline, ConnectorError } from '../errors.ts';
import type { KeyedMessage } from '../ports/messages.ts';
import type { AccountPresence } from '../presence/account-presence.ts';
import type { Presences } from '../presence/presences.ts';
import type { Hold } from '../presence/send-admission.ts';
import { newSecret } from '../random.ts';
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
 * @throws ConnectorError channel_not_enabled, message_invalid, session_unknown, account_offline, bouncer_unreachable, idempotency_conflict, backlog_full
 */
export async function sendMessage(
  context: ServiceContext,
  sessions: Presences,
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
  const send: Send = { context, session, caller, request: { ...request, channel } };
  const message = await accepted(send);
  await session.flush();
  return (await context.store.messages.find(message.messageId)) ?? message;
}

interface Send {
  context: ServiceContext;
  session: AccountPresence;
  caller: Caller;
  request: SendRequest;
}

/** Stores the message to be sent; before that it may have to wait. */
async function accepted(send: Send): Promise<OutgoingMessage> {
  const { session } = send;
  const first = await session.run(() => accept(send, (lineCount) => session.admit(lineCount)));
  if (!('over' in first)) return first;
  await first.over;
  const second = await session.run(() => accept(send, async () => undefined));
  if ('over' in second) throw new Error('a send was held twice');
  return second;
}

async function accept(
  send: Send,
  admit: (lineCount: number) => Promise<Hold | undefined>,
): Promise<OutgoingMessage | Hold> {
  const { context, session } = send;
  const earlier = await earlierSend(context, send.caller, send.request);
  if (earlier !== undefined && earlier.status !== 'failed') return earlier;
  const { nick } = session.requireLive();
  if (earlier === undefined) return acceptNew(send, nick, admit);
  const hold = await admit(await context.store.messages.countFailedParts(earlier.messageId));
  return hold ?? context.store.messages.renew(earlier.messageId, newSecret);
}

async function acceptNew(
  { context, caller, request }: Send,
  nick: string,
  admit: (lineCount: number) => Promise<Hold | undefined>,
): Promise<OutgoingMessage | Hold> {
  const { channel, text, idempotencyKey, sessionId } = request;
  const parts = splitText(text, textBudgetBytes(nick, channel)).map((part) => ({ text: part, tag: newSecret() }));
  const hold = await admit(parts.length);
  if (hold !== undefined) return hold;
  const network = context.settings.network.name;
  return context.store.messages.create({ ...caller, idempotencyKey, sessionId, network, channel, nick, text, parts });
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
