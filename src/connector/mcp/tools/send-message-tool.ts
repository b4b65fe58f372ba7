import { z } from 'zod';
import { IDEMPOTENCY_KEY_MAX_CHARACTERS, MESSAGE_MAX_CHARACTERS } from '../../domain/limits.ts';
import { defineTool } from './define-tool.ts';
import { ChannelInput, messageOutput, SessionIdInput } from './shapes.ts';

const Input = z.strictObject({
  channel: ChannelInput,
  text: z
    .string()
    .min(1)
    // Characters are code points, as they are in JSON Schema.
    .refine(
      (text) => [...text].length <= MESSAGE_MAX_CHARACTERS,
      `at most ${MESSAGE_MAX_CHARACTERS} characters: send a longer text in several messages`,
    )
    .meta({
      description: `1 to ${MESSAGE_MAX_CHARACTERS} characters, one line, no control characters.`,
      maxLength: MESSAGE_MAX_CHARACTERS,
    }),
  idempotency_key: z
    .string()
    .regex(/^[!-~]+$/, 'visible ASCII characters, no spaces')
    .max(IDEMPOTENCY_KEY_MAX_CHARACTERS)
    .optional()
    .describe(
      `Choose one per message and repeat it when you retry: the message is then sent once. 1 to ${IDEMPOTENCY_KEY_MAX_CHARACTERS} visible ASCII characters, no spaces.`,
    ),
  session_id: SessionIdInput.optional().describe(
    'Your sessionId. With it the message is unread for the other sessions of your client; without it, for none of them.',
  ),
});

/** @spec connector#outgoing-message */
export const sendMessage = defineTool({
  name: 'send_message',
  title: 'Send a message',
  description:
    "Sends one message to an enabled channel under the account's nick, where everybody in the channel can read it. The account must be online. Returns a messageId, usually at once; get_message_status tells how far it has come. Lines go out five at once and then one per two seconds: when too many wait, the call is refused and says after how many seconds to repeat it. Retry only with the same idempotency_key: the same message is then never said twice.",
  scope: 'irc:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: Input,
  output: z.object(messageOutput),
  handle: ({ channel, text, idempotency_key: idempotencyKey, session_id: sessionId }, { caller, services }) =>
    services.sendMessage(caller, { channel, text, idempotencyKey, sessionId }),
});
