import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import { IdInput, messageOutput } from './shapes.ts';

const Input = z.strictObject({ message_id: IdInput.describe('The messageId that send_message returned.') });

/** @spec connector#outgoing-message */
export const getMessageStatus = defineTool({
  name: 'get_message_status',
  title: 'Get the status of a message',
  description:
    'Tells how far a message sent with send_message has come: pending, queued, echoed or failed, with the reason when it failed. Use it some seconds after sending when it matters that the message went out. echoed proves that the line came back through the bouncer, not that anybody read it. To try again after failed, call send_message with the same idempotency_key; after queued or echoed that sends nothing.',
  scope: 'irc:read',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: Input,
  output: z.object(messageOutput),
  handle: ({ message_id: messageId }, { caller, services }) => services.messageStatus(caller, messageId),
});
