import type { Caller } from '../domain/account.ts';
import { MESSAGE_MAX_CHARACTERS } from '../domain/limits.ts';
import { type TextProblem, textProblem } from '../domain/message-text.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import { accountOffline, ConnectorError } from '../errors.ts';
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
  /** The sending agent session; its own sends are not unread for it. */
  sessionId?: string | undefined;
  /** Whether it counts as a post. */
  isPost?: boolean;
}

/**
 * Sends one message, once for each idempotency key of the calling client.
 * @throws ConnectorError channel_not_enabled, message_invalid, session_unknown, account_offline, bouncer_unreachable, idempotency_conflict, rate_limited, backlog_full, account_busy
 */
export async function sendMessage(
  context: ServiceContext,
  caller: Caller,
  { channel: written, text, idempotencyKey, sessionId, isPost = false }: SendRequest,
): Promise<OutgoingMessage> {
  const { accountId, clientId } = caller;
  const account = await requireAccount(context, accountId);
  const channel = requireChannel(account, written);
  const problem = textProblem(text);
  if (problem !== undefined) throw new ConnectorError('message_invalid', PROBLEMS[problem]);
  if (sessionId !== undefined) await requireSession(context, caller, sessionId);
  if (!account.isOnline) throw accountOffline();
  return context.presence.send(accountId, { clientId, sessionId, idempotencyKey, channel, text, isPost });
}
