import { z } from 'zod';
import { IDEMPOTENCY_KEY_MAX_CHARACTERS, MESSAGE_MAX_CHARACTERS } from '../../domain/limits.ts';
import { defineTool } from './define-tool.ts';
import { ChannelInput, MessageStatusOutput } from './shapes.ts';

const Input = z.strictObject({
  channel: ChannelInput,
  text: z
    .string()
    .min(1)
    // Characters are code points, of which each takes one or two of what a string counts; the service counts exactly.
    .max(2 * MESSAGE_MAX_CHARACTERS)
    .describe(`1 to ${MESSAGE_MAX_CHARACTERS} characters, one line, no control characters.`),
  idempotency_key: z
    .string()
    .regex(/^[!-~]+$/, 'visible ASCII characters')
    .max(IDEMPOTENCY_KEY_MAX_CHARACTERS)
    .optional()
    .describe('Choose one per message and repeat it when you retry: the message is then sent once.'),
});

const Output = z.object({
  messageId: z.string(),
  entryId: z.string().describe("The message's entry in the channel's history."),
  channel: z.string(),
  status: MessageStatusOutput,
  reason: z.string().nullable().describe('Why it failed; null otherwise.'),
});

/** @spec connector#outgoing-message */
export const sendMessage = defineTool({
  name: 'send_message',
  title: 'Send a message',
  description:
    "Sends one message to an enabled channel under the account's nick, where everybody in the channel can read it. The account must be online. Returns a messageId at once; read_history shows the message's entry with that messageId, and its timestampSource becomes server when the line came back. Retry only with the same idempotency_key.",
  scope: 'irc:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: Input,
  output: Output,
  handle: ({ channel, text, idempotency_key: idempotencyKey }, { caller, services }) =>
    services.sendMessage(caller, { channel, text, idempotencyKey }),
});
