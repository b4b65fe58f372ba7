import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { foldText } from '../../src/connector/domain/fold.ts';
import type { Line } from './corpus.ts';

/** Writes in one transaction, because both stores are far too slow for a million single lines. */
function inOneTransaction(file: string, write: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN');
    write(database);
    database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

/** Stores lines like the connector, with the running numbers of their channel if its version has such. */
export function loadEntries(file: string, account: { id: string; channel: string }, lines: Iterable<Line>): void {
  inOneTransaction(file, (database) => {
    const insert = database.prepare(
      `INSERT INTO entries (entry_id, account_id, fingerprint, network, channel, kind, sender, text, text_folded,
         event_at, observed_at, timestamp_source) VALUES (?, ?, ?, 'main', ?, 'message', ?, ?, ?, ?, ?, 'server')`,
    );
    let stored = 0;
    let newestRow: number | bigint = 0;
    for (const { sender, text, at } of lines) {
      const id = randomBytes(12).toString('base64url');
      const entry = [`ent_${id}`, account.id, `${id}#0`, account.channel, sender, text, foldText(text), at, at];
      newestRow = insert.run(...entry).lastInsertRowid;
      stored += 1;
    }
    if (!hasTable(database, 'channel_counts')) return;
    database
      .prepare(
        `INSERT INTO channel_counts (account_id, channel, stored, gone, received_row) VALUES (?, ?, ?, 0, ?)
         ON CONFLICT (account_id, channel) DO UPDATE SET
           stored = channel_counts.stored + excluded.stored, received_row = excluded.received_row`,
      )
      .run(account.id, account.channel, stored, newestRow);
  });
}

const hasTable = (database: DatabaseSync, name: string): boolean =>
  database.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(name) !== undefined;

/** Stores the same lines like soju's `message-store db`; its trigger fills its full-text index. */
export function loadMessages(file: string, user: { name: string; channel: string }, lines: Iterable<Line>): void {
  inOneTransaction(file, (database) => {
    const target = database
      .prepare(
        `INSERT INTO MessageTarget (network, target)
         SELECT Network.id, ? FROM Network JOIN User ON User.id = Network.user WHERE User.username = ? RETURNING id`,
      )
      .get(user.channel, user.name);
    const insert = database.prepare('INSERT INTO Message (target, raw, time, sender, text) VALUES (?, ?, ?, ?, ?)');
    for (const { sender, text, at } of lines) {
      const time = new Date(at).toISOString();
      const id = randomBytes(16).toString('hex').slice(0, 26);
      const raw = `@msgid=${id};time=${time} :${sender}!~u@127.0.0.1 PRIVMSG ${user.channel} :${text}`;
      insert.run(Number(target?.['id']), raw, time, sender, text);
    }
  });
}
