import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import { ChannelInput, IdInput, SessionIdInput } from './shapes.ts';

const Input = z.strictObject({
  session_id: SessionIdInput.describe('Your sessionId.'),
  channel: ChannelInput,
  entry_id: IdInput.describe('The entryId of the last entry you processed of an unread batch.'),
});

const Output = z.object({
  channel: z.string(),
  lastAcknowledgedEntryId: z.string().nullable(),
  unreadCount: z.int().describe('What is still unread for this session in the channel.'),
});

/** @spec connector#mcp-tools */
export const ackMessages = defineTool({
  name: 'ack_messages',
  title: 'Acknowledge messages',
  description:
    'Tells that your session has processed an unread batch of a channel, up to and with one entry, so that read_history in unread mode goes on after it. Call it after you processed the batch, not before. It moves your own session only, and never back; entries that were not delivered to your session are refused. When unreadCount is above 0, read unread again.',
  scope: 'irc:read',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: Input,
  output: Output,
  handle: ({ session_id: sessionId, channel, entry_id: entryId }, { caller, services }) =>
    services.acknowledge(caller, { sessionId, channel, entryId }),
});
