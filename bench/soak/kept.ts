import { DatabaseSync } from 'node:sqlite';
import type { Line } from './observations.ts';

/** Messages in channels that soju has stored, by the nick of its user, in the order of their times. */
export function keptByBouncer(file: string): Map<string, Line[]> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 30_000 });
  try {
    const rows = database
      .prepare(
        `SELECT COALESCE(Network.nick, User.nick) AS nick, MessageTarget.target AS channel, Message.sender AS sender, Message.text AS text
         FROM Message
           JOIN MessageTarget ON MessageTarget.id = Message.target
           JOIN Network ON Network.id = MessageTarget.network
           JOIN User ON User.id = Network.user
         WHERE Message.text IS NOT NULL AND Message.raw LIKE '% PRIVMSG %'
         ORDER BY Message.time, Message.id`,
      )
      .all();
    const kept = new Map<string, Line[]>();
    for (const row of rows) {
      const [nick, channel, sender, text] = ['nick', 'channel', 'sender', 'text'].map((name) => String(row[name]));
      if (nick === undefined || channel === undefined || sender === undefined || text === undefined) continue;
      const own = kept.get(nick) ?? [];
      own.push({ channel, sender, text });
      kept.set(nick, own);
    }
    return kept;
  } finally {
    database.close();
  }
}
