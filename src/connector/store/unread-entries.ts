import type { Reader } from '../ports/agent-cursor-store.ts';
import type { Database } from './database.ts';

/** Selects entries of the channel that can be unread for the reader: not its own sends, and not failed ones. */
export function unreadEntries(database: Database, { accountId, clientId, sessionId }: Reader, channel: string) {
  return database('entries')
    .leftJoin('messages', 'messages.message_id', 'entries.message_id')
    .where({ 'entries.account_id': accountId, 'entries.channel': channel })
    .where((others) =>
      others.whereNull('messages.message_id').orWhere((sent) =>
        sent
          .whereNot('messages.status', 'failed')
          // A send without a session counts as sent by every session of its client.
          .where((foreign) =>
            foreign
              .whereNot('messages.client_id', clientId)
              .orWhere((named) => named.whereNotNull('messages.session_id').whereNot('messages.session_id', sessionId)),
          ),
      ),
    );
}
