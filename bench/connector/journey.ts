import { type Call, ToolClient } from './client.ts';
import type { Door } from './rounds.ts';

/** Unread entries that an agent finds when it follows a channel. */
const UNREAD = 20;

/** Calls of every tool without an effect on IRC, in turn, with the arguments of an agent that follows a channel. */
export async function journey({ baseUrl, token }: Door, channel: string): Promise<Call[]> {
  const client = new ToolClient(baseUrl, token);
  try {
    const about = await client.call({ tool: 'see_account_information', args: {} });
    const session = String(about.structuredContent['sessionId']);
    const acknowledged = await followUp(client, channel, session);
    const sent = await client.call({ tool: 'send_message', args: { channel, text: 'hello from the benchmark' } });
    return [
      { tool: 'see_account_information', args: { session_id: session } },
      { tool: 'read_history', args: { channel, mode: 'unread', session_id: session, limit: UNREAD } },
      { tool: 'ack_messages', args: { session_id: session, channel, entry_id: acknowledged } },
      { tool: 'read_history', args: { channel, mode: 'recent', limit: UNREAD } },
      { tool: 'search_history', args: { channel, phrase: 'of the', limit: UNREAD } },
      { tool: 'get_message_status', args: { message_id: String(sent.structuredContent['messageId']) } },
    ];
  } finally {
    client.close();
  }
}

/** Reads and acknowledges all but the last page; returns the last acknowledged entry. */
async function followUp(client: ToolClient, channel: string, session: string): Promise<string> {
  for (let last = ''; ; ) {
    const unread = { channel, mode: 'unread', session_id: session, limit: 200 };
    const { structuredContent } = await client.call({ tool: 'read_history', args: unread });
    const { entries, hasMore } = structuredContent as { entries: { entryId: string }[]; hasMore: boolean };
    const upTo = hasMore ? entries.at(-1) : entries.at(-1 - UNREAD);
    last = upTo?.entryId ?? last;
    await client.call({ tool: 'ack_messages', args: { session_id: session, channel, entry_id: last } });
    if (!hasMore) return last;
  }
}
